// The time of the charts of numbers: node numbers.mjs URL EMAIL PASSWORD.
import { clientOf, percentile, signIn } from "../stress.d/client.mjs";

const [, , url, identifier, password] = process.argv;
const send = clientOf(url, { sockets: 1 });
const token = await signIn(send, identifier, password);

for (const days of [7, 30, 90, 365]) {
  const times = [];
  for (let number = 0; number < 20; number += 1) {
    const began = performance.now();
    const answer = await send("GET", `/api/admin/numbers?days=${days}`, { token });
    if (answer.status !== 200) throw new Error(`the numbers answered ${answer.status}`);
    times.push(performance.now() - began);
  }
  const [median, slowest] = [percentile(times, 0.5), Math.max(...times)].map((time) => `${time.toFixed(1)} ms`);
  console.log(`${days} days, median and slowest of 20\t${median}, ${slowest}\t<= 100 ms`);
}
