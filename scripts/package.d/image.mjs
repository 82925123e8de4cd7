// image.mjs LAYER.tar OUT.tar VERSION: an image of one layer, as an OCI archive that `docker load` reads too
// (https://github.com/opencontainers/image-spec, and manifest.json as `docker save` writes it).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [layerPath, out, version] = process.argv.slice(2);
const epoch = process.env.SOURCE_DATE_EPOCH;
const created = new Date(Number(epoch) * 1000).toISOString();
const architecture = { x64: "amd64", arm64: "arm64" }[process.arch];

const folder = mkdtempSync(join(tmpdir(), "deadwax-image-"));
const blobs = join(folder, "blobs/sha256");
mkdirSync(blobs, { recursive: true });

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
/** Stores a blob; returns its descriptor. */
function store(mediaType, bytes) {
  const hash = sha256(bytes);
  writeFileSync(join(blobs, hash), bytes);
  return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
}
const json = (value) => Buffer.from(JSON.stringify(value));
const pathOf = ({ digest }) => `blobs/sha256/${digest.slice("sha256:".length)}`;

const tar = readFileSync(layerPath);
const layer = store("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(tar, { level: 9 }));
const config = store(
  "application/vnd.oci.image.config.v1+json",
  json({
    created,
    architecture,
    os: "linux",
    config: {
      User: "64317:64317",
      ExposedPorts: { "8080/tcp": {} },
      Env: ["PATH=/usr/bin", "DEADWAX_DATA_DIR=/var/lib/deadwax", "DEADWAX_LISTEN=0.0.0.0:8080"],
      Entrypoint: ["/usr/bin/deadwax"],
      Cmd: ["serve"],
      Volumes: { "/var/lib/deadwax": {} },
      WorkingDir: "/var/lib/deadwax",
      StopSignal: "SIGTERM",
      // Read by Docker and Podman; not part of the OCI format.
      Healthcheck: { Test: ["CMD", "/usr/bin/deadwax", "healthy"], Interval: 30e9, Timeout: 10e9, StartPeriod: 30e9 },
      Labels: {
        "org.opencontainers.image.title": "deadwax",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "AGPL-3.0-only",
      },
    },
    rootfs: { type: "layers", diff_ids: [`sha256:${sha256(tar)}`] },
    history: [{ created, created_by: "scripts/package" }],
  }),
);
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const manifest = store(manifestType, json({ schemaVersion: 2, mediaType: manifestType, config, layers: [layer] }));
manifest.annotations = { "org.opencontainers.image.ref.name": version, "io.containerd.image.name": `docker.io/library/deadwax:${version}` };
writeFileSync(join(folder, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
writeFileSync(
  join(folder, "index.json"),
  json({ schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: [manifest] }),
);
writeFileSync(
  join(folder, "manifest.json"),
  json([{ Config: pathOf(config), RepoTags: [`deadwax:${version}`, "deadwax:latest"], Layers: [pathOf(layer)] }]),
);
const fixed = ["--sort=name", `--mtime=@${epoch}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
execFileSync("tar", [...fixed, "-C", folder, "-cf", out, "blobs", "index.json", "manifest.json", "oci-layout"]);
rmSync(folder, { recursive: true });
