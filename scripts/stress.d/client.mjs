// HTTP client of the fault rounds: requests over kept-alive connections from an address the caller chooses.
import { Agent, request } from "node:http";

export const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

/**
 * Returns a function that sends one request and resolves to `{ status, headers, bytes, json() }`. It rejects if the connection
 * fails, with `isBegun` on the error if the response had begun. `from` is the client address in X-Forwarded-For, `address` the
 * real local address; `host` replaces the Host header.
 */
export function clientOf(url, { sockets = 100, address, host } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, localAddress: address });
  return (method, path, { body, headers = {}, from, token, timeout = 40_000 } = {}) =>
    new Promise((resolve, reject) => {
      const sent = { ...headers };
      if (host) sent.host = host;
      if (from) sent["x-forwarded-for"] = from;
      if (token) sent.authorization = `Bearer ${token}`;
      const isJson = body !== undefined && !Buffer.isBuffer(body);
      const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body;
      if (isJson) sent["content-type"] = "application/json";
      if (bytes) sent["content-length"] = bytes.length;
      const asked = request(new URL(path, url), { method, agent, headers: sent }, (answer) => {
        const chunks = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("error", (error) => reject(Object.assign(error, { isBegun: true })));
        answer.on("end", () => {
          const whole = Buffer.concat(chunks);
          const json = () => JSON.parse(whole.toString());
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: whole, json });
        });
      });
      asked.setTimeout(timeout, () => asked.destroy(new Error("no answer in time")));
      asked.on("error", reject);
      asked.end(bytes);
    });
}

/** The address of the `number`-th client of a kind. */
export const addressOf = (kind, number) => `10.${kind}.${(number >> 8) & 255}.${number & 255}`;

/** Signs in as a program does, retrying while the server is busy; returns the session's token. */
export async function signIn(send, identifier, password, from) {
  for (;;) {
    const answer = await send("POST", "/api/auth/sign-in", { body: { identifier, password, token_in_body: true }, from });
    if (answer.status === 200) return answer.json().access_token;
    if (answer.status !== 503) throw new Error(`signing in: ${answer.status} ${answer.bytes}`);
    await pause(500);
  }
}

/** The value that `share` of the values do not exceed. */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
