// Builds the peer of the measurements as an ordinary React page, with compressed files like the website's.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressedSiblings } from "../../vite.compressed.ts";

export default defineConfig({ plugins: [react(), compressedSiblings()] });
