// How the peer of the measurements is built: as any React page would be, with compressed siblings as the website's files have.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedSiblings } from "../../vite.compressed.ts";

export default defineConfig({ plugins: [react(), compressedSiblings()] });
