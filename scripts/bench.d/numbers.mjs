// The time of the charts of numbers: node numbers.mjs URL EMAIL PASSWORD.
const [, , url, identifier, password] = process.argv;

const signedIn = await fetch(`${url}/api/auth/sign-in`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ identifier, password }),
});
if (!signedIn.ok) throw new Error(`sign-in answered ${signedIn.status}`);
const cookie = signedIn.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");

for (const days of [7, 30, 90, 365]) {
  const times = [];
  for (let number = 0; number < 20; number += 1) {
    const began = performance.now();
    const answer = await fetch(`${url}/api/admin/numbers?days=${days}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`the numbers answered ${answer.status}`);
    await answer.arrayBuffer();
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  console.log(`${days} days, median and slowest of 20\t${times[10].toFixed(1)} ms, ${times[19].toFixed(1)} ms\t<= 100 ms`);
}
