#!/usr/bin/env node
// How long a reader waits: speed.mjs FOLDER FILE. Prints milliseconds of the first listing in a browser that has kept nothing, and from a
// selection until all panes have shown it, the median of some. Measured, not asserted: machines differ.
import { resolve } from "node:path";
import { serve, Session, shows } from "./harness.mjs";

const [folder, file] = process.argv.slice(2);
const server = await serve(resolve(folder));
const kRuns = 5;
const kSelections = 40;
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Seconds of processor that the page's thread took. */
const busy = async (client) => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;

/** Of one keypress: until two frames after it, when all panes have drawn. */
const selection = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const from = performance.now();
        document.querySelector("[role=grid]").dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true, cancelable: true }));
        const status = document.querySelector("[aria-label=Selection]");
        const before = status.textContent;
        const look = () => (status.textContent !== before ? requestAnimationFrame(() => done(performance.now() - from)) : requestAnimationFrame(look));
        requestAnimationFrame(look);
      }),
  );

try {
  const cold = [];
  const selections = [];
  let processor = 0;
  for (let run = 0; run < kRuns; ++run) {
    const session = await Session.start(server.address);
    await session.withPage(async (explorer, page) => {
      const from = performance.now();
      await explorer.go();
      await explorer.open(file);
      await shows(explorer.text(0), /\S/);
      cold.push(performance.now() - from);
      if (run !== 0) return;
      await explorer.byte(0).click();
      const client = await page.context().newCDPSession(page);
      await client.send("Performance.enable", { timeDomain: "threadTicks" });
      const before = await busy(client);
      for (let i = 0; i < kSelections; ++i) selections.push(await selection(page));
      processor = (1000 * ((await busy(client)) - before)) / kSelections;
    });
    await session.close();
  }
  console.log(`first listing, cold        ${median(cold).toFixed(0)} ms (median of ${kRuns})`);
  console.log(`processor per selection    ${processor.toFixed(1)} ms of the page's thread`);
  console.log(`selection to all panes     ${median(selections).toFixed(1)} ms (median of ${kSelections}), at most ${Math.max(...selections).toFixed(1)} ms`);
} finally {
  server.close();
}
