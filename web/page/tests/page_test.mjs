#!/usr/bin/env node
// The page in a real browser: page_test.mjs FOLDER|ADDRESS. Exits 77 with a reason where it cannot run.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { chromiumPath, serve, Session } from "./harness.mjs";

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

const where = process.argv[2] ?? "";
const isAddress = /^https?:/.test(where);
const folder = resolve(where);
if (!existsSync(chromiumPath)) skip(`no ${chromiumPath}: apt-get install chromium`);
if (!existsSync(join(import.meta.dirname, "../node_modules/playwright-core"))) skip("no node_modules: npm ci --ignore-scripts in web/page");
if (!isAddress && !existsSync(join(folder, "index.html"))) skip(`no page in ${folder}: scripts/explore.sh --build-only ${where}`);

const parts = ["open", "archives", "select", "views", "graph", "run", "picture", "edits", "links", "everywhere", "faults"];
const shared = { session: null, folder: isAddress ? null : folder };
let server = null;
before(async () => {
  server = isAddress ? null : await serve(folder);
  shared.session = await Session.start(server?.address ?? where);
});
after(async () => {
  await shared.session?.close();
  server?.close();
});
for (const part of parts) (await import(`./${part}.mjs`)).default(shared);
