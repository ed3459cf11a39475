// Does in JupyterLab what a reader does, and fails where the page does not do what the reader expects:
//
//   node drive.mjs CHROMIUM URL FOLDER SHOTS
//
// URL is that of JupyterLab with its token, FOLDER the one of the notebooks as JupyterLab names it, SHOTS a folder for
// screenshots. Each wait is for something to be so, and gives up after a time that no machine should need.
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const [program, address, folder, shots] = process.argv.slice(2);
const patience = 200_000; // ms
mkdirSync(shots, { recursive: true });

const began = Date.now();
const say = (what) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`);
const must = (ok, what) => {
  if (!ok) throw new Error(what);
};

const browser = await chromium.launch({ executablePath: program, args: ["--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
page.setDefaultTimeout(patience);

// complaints are what the pages report as errors. Notebook 7.6.5 fails so on every notebook, with Python's kernel too: it
// reads the settings' schema of an extension that it does not load.
const complaints = [];
const theirs = (text) => page.url().includes("/notebooks/") && text.includes("reading 'schema'");
const complain = (text) => {
  console.log("    the page reports:", text.slice(0, 300));
  theirs(text) || complaints.push(text);
};
page.on("console", (m) => m.type() === "error" && complain(m.text()));
page.on("pageerror", (e) => complain(String(e.stack ?? e)));

const shot = (name) => page.screenshot({ path: `${shots}/${name}.png` });

// until waits for a function of the page to return something true.
const until = (f, arg, timeout = patience) => page.waitForFunction(f, arg, { timeout, polling: 100 });

// command runs a command of JupyterLab's, as its menus and keys do.
const command = (id, args) => page.evaluate(([id, args]) => void globalThis.jupyterapp.commands.execute(id, args), [id, args]);

const book = () => page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)");

// cell scrolls to the cell of an id. Cells out of sight may not be in the page.
async function cell(id) {
  const at = await page.evaluate(async (id) => {
    const { content } = globalThis.jupyterapp.shell.currentWidget;
    const at = content.widgets.findIndex((c) => c.model.id === id);
    if (at >= 0) await content.scrollToItem(at, "center");
    return at;
  }, id);
  must(at >= 0, `there is no cell ${id}`);
  const found = book().locator(`.jp-Cell[data-windowed-list-index="${at}"]`);
  await found.waitFor();
  return found;
}

// open opens a notebook and waits for its kernel.
async function open(name) {
  await page.evaluate((path) => void globalThis.jupyterapp.commands.execute("docmanager:open", { path }), `${folder}/${name}`);
  await book().locator(".jp-Notebook .jp-Cell").first().waitFor();
  await until((name) => {
    const panel = globalThis.jupyterapp.shell.currentWidget;
    const kernel = panel?.context?.path?.endsWith(name) && panel.sessionContext?.session?.kernel;
    return kernel && kernel.status === "idle";
  }, name);
}

// cells tells of all code cells: their numbers and whether they show an error.
const cells = () => page.evaluate(() => {
  const list = [];
  for (const c of globalThis.jupyterapp.shell.currentWidget.content.widgets) {
    if (c.model.type !== "code") continue;
    const outputs = [];
    for (let i = 0; i < c.model.outputs.length; i++) outputs.push(c.model.outputs.get(i).toJSON());
    const error = outputs.find((o) => o.output_type === "error");
    list.push({ count: c.model.executionCount, text: c.model.sharedModel.source, error: error && `${error.ename}: ${error.evalue}` });
  }
  return list;
});

// finished waits for all cells to have run, and fails if one failed.
async function finished(what) {
  await until(() => {
    const panel = globalThis.jupyterapp.shell.currentWidget;
    const code = panel.content.widgets.filter((c) => c.model.type === "code" && c.model.sharedModel.source.trim());
    const failed = code.some((c) => [...Array(c.model.outputs.length).keys()].some((i) => c.model.outputs.get(i).type === "error"));
    return failed || (code.every((c) => c.model.executionCount > 0 && c.model.executionState !== "running") &&
      panel.sessionContext.session.kernel.status === "idle");
  });
  for (const c of await cells()) must(!c.error, `${what}: ${c.error} in\n${c.text}`);
  say(`${what}: all cells ran`);
}

// figure is what the last picture of a cell's output shows, as text to compare.
const picture = (c) => c.locator(".jp-OutputArea-output img, .jp-OutputArea-output svg").last();
const drawn = async (c) => picture(c).evaluate((e) => e.getAttribute("src") ?? e.outerHTML);

// changes waits for a cell's picture to be another than before.
async function changes(c, before, what) {
  const handle = await c.elementHandle();
  await until(([c, before]) => {
    const all = c.querySelectorAll(".jp-OutputArea-output img, .jp-OutputArea-output svg");
    const e = all[all.length - 1];
    return e && (e.getAttribute("src") ?? e.outerHTML) !== before;
  }, [handle, before]);
  say(what);
}

// slide moves the slider of a cell to a share of its range, as a hand would.
async function slide(c, share) {
  const slider = c.locator(".noUi-target");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
}

// append puts a new cell at the notebook's end and types into it.
async function append(text) {
  await page.evaluate(() => {
    const book = globalThis.jupyterapp.shell.currentWidget.content;
    book.activeCellIndex = book.widgets.length - 1;
  });
  await command("notebook:insert-cell-below");
  const last = book().locator(".jp-CodeCell").last();
  await until(() => globalThis.jupyterapp.shell.currentWidget.content.activeCell?.model.sharedModel.source === "");
  await command("notebook:enter-edit-mode");
  await last.locator(".cm-content").click();
  await page.keyboard.insertText(text);
  return last;
}

async function guided() {
  await open("03_guided_sampling.ipynb");
  say("03_guided_sampling is open");
  const seen = page.evaluate(() => new Promise((done) => { // what the progress bar shows, from its first sight to its last
    const values = new Set();
    const look = () => {
      for (const p of document.querySelectorAll("progress")) values.add(p.value);
      const bar = [...document.querySelectorAll("progress")].find((p) => p.max > 1 && p.value === p.max);
      bar && values.size > 2 ? done([...values]) : setTimeout(look, 20);
    };
    look();
  }));
  await command("notebook:run-all-cells");
  await finished("run all");
  const values = await Promise.race([seen, new Promise((_, no) => setTimeout(no, 5000, new Error("the progress bar did not move")))]);
  say(`the progress bar showed ${values.length} states`);
  for (const id of ["reward", "plain", "sweep", "slider", "maps", "way"]) {
    await picture(await cell(id)).waitFor();
    await shot(`figure-${id}`);
  }
  say("the figures are there");

  const slider = await cell("slider");
  await slider.locator(".noUi-target").waitFor();
  for (const [share, name] of [[0.2, "low"], [0.9, "high"]]) {
    const before = await drawn(slider);
    await slide(slider, share);
    await changes(slider, before, `the slider stands ${name}: λ = 10^${await slider.locator(".widget-readout").innerText()}, the figure changed`);
    await shot(`slider-${name}`);
  }
  const before = await drawn(slider);
  await slider.locator("select").selectOption({ index: 0 });
  await changes(slider, before, "another guide: the figure changed");

  const way = await cell("way");
  const noise = await drawn(way);
  await way.locator(".noUi-handle").focus();
  await page.keyboard.press("End");
  await changes(way, noise, "the reverse process stands at its end: the figure changed");
  await shot("way");

  await completes();
  await interrupts();

  await command("notebook:restart-run-all");
  await page.locator(".jp-Dialog button", { hasText: "Restart" }).last().click();
  await until(() => globalThis.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status !== "idle");
  await finished("restart and run all");
  const again = await cell("slider");
  const first = await drawn(again);
  await again.locator(".noUi-target").waitFor();
  await slide(again, 0.42);
  await changes(again, first, "after the restart: the figure changed");
  await whole();
  for (const m of await book().locator("mjx-merror").all()) must(false, `a formula is wrong: ${await m.evaluate((e) => e.closest(".jp-Cell").innerText)}`);
}

// completes has names completed in a live cell and in a compiled one.
async function completes() {
  for (const [code, want] of [["%%live\nRandomRew", "RandomReward"], ["%%\nfmt.Sprintl", "Sprintln"], ["%ddps evalu", "evaluate"]]) {
    const c = await append(code);
    for (let tries = 0; ; tries++) { // the compiler's helper reads the module first
      await page.keyboard.press("Tab");
      const done = await until((want) => {
        const text = globalThis.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.source;
        const menu = document.querySelector(".jp-Completer:not(.lm-mod-hidden)");
        return text.includes(want) || menu?.textContent.includes(want) || null;
      }, want, 20_000).catch(() => null);
      if (done) break;
      must(tries < 10, `${want} is not offered`);
    }
    await shot(`completion-${want}`);
    await page.keyboard.press("Enter");
    await until((want) => globalThis.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.source.includes(want), want);
    say(`${want} was completed`);
    await page.keyboard.press("Escape");
    await command("notebook:delete-cell");
  }
}

// interrupts stops endless loops, a live and a compiled one, and runs a cell after each.
async function interrupts() {
  for (const code of ["%%live\nfor {\n}", "%%\nfmt.Println(\"begun\")\nfor {\n}"]) {
    const c = await append(code);
    await command("notebook:run-cell");
    if (code.includes("begun")) {
      await c.locator(".jp-OutputArea-output", { hasText: "begun" }).waitFor();
    } else {
      await until(() => globalThis.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "busy");
    }
    await command("notebook:interrupt-kernel");
    await c.locator(".jp-OutputArea-output", { hasText: "nterrupted" }).waitFor();
    await c.scrollIntoViewIfNeeded();
    await until(() => globalThis.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle");
    say("an endless loop was interrupted");
    await shot(code.includes("begun") ? "interrupt-compiled" : "interrupt-live");
    await command("notebook:delete-cell");
  }
  const c = await append("%%live\nlen(lambdas) * 1000");
  await command("notebook:run-cell");
  await c.locator(".jp-OutputArea-output", { hasText: "000" }).waitFor();
  await command("notebook:delete-cell");
}

// whole makes a picture of the notebook from top to bottom, and one of the slider as the README has it.
async function whole() {
  await page.setViewportSize({ width: 1160, height: 1000 });
  await (await cell("slider-text")).evaluate((e) => e.scrollIntoView({ block: "start" }));
  await page.mouse.move(0, 0);
  await shot("readme");
  const height = await book().locator(".jp-WindowedPanel-outer").evaluate((e) => e.scrollHeight);
  await page.setViewportSize({ width: 1100, height: Math.min(height + 200, 16000) });
  await cell("title");
  await until(() => [...document.images].every((i) => i.complete));
  await shot("notebook");
  await page.setViewportSize({ width: 1400, height: 1000 });
}

// variables looks at those of live cells in the debugger's panel.
async function variables() {
  await book().locator(".jp-DebuggerBugButton").click();
  await page.evaluate(() => globalThis.jupyterapp.shell.activateById("jp-debugger-sidebar"));
  await page.locator(".jp-DebuggerVariables", { hasText: "after" }).waitFor();
  say("the panel lists the variables");
  await shot("variables");
  await page.evaluate(() => globalThis.jupyterapp.shell.collapseRight());
}

// press tries the controls of a compiled cell, in a page that shows its output in a part of it.
async function press(page, c) {
  await c.locator("text=a: 2, second, false, 0, ?").waitFor();
  await slide(c, 0.7);
  await c.locator("text=/a: 1[0-9.]*, second, false, 0/").waitFor();
  await c.locator(".widget-dropdown select").selectOption({ index: 2 });
  await c.locator(".widget-checkbox input").check();
  await c.locator("button", { hasText: "Press" }).click();
  await c.locator("text=/a: 1[0-9.]*, third, true, 1/").waitFor();
  await c.locator("button", { hasText: "Press" }).click();
  await c.locator(".widget-text input").fill("typed <b>");
  await c.locator("text=/a: 1[0-9.]*, third, true, 2, typed <b>/").waitFor();
}

// controls tries those of a compiled cell.
async function controls() {
  await open("controls.ipynb");
  const c = await cell("interact");
  await c.locator(".cm-content").click();
  await command("notebook:run-cell");
  await press(page, c);
  say("a compiled cell follows its controls");
  await shot("controls");
  const after = await cell("after"); // does not wait for the controls
  await after.locator(".cm-content").click();
  await command("notebook:run-cell");
  await after.locator(".jp-OutputArea-output", { hasText: "went on" }).waitFor();
  await c.locator(".noUi-target[disabled]").waitFor();
  say("they end when another cell waits");
  await shot("controls-ended");
  await variables();
}

// notebook tries the same controls in Jupyter Notebook.
async function notebook() {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/lab$/, `notebooks/${folder}/controls.ipynb`);
  await page.goto(url.href);
  const c = page.locator(".jp-CodeCell").first();
  await c.locator(".cm-content").click();
  await page.keyboard.press("Control+Enter");
  await press(page, c);
  say("the controls work in Jupyter Notebook");
  await shot("notebook-7");
}

try {
  await page.goto(address);
  await until(() => globalThis.jupyterapp?.restored.then(() => true));
  await page.evaluate(() => globalThis.jupyterapp.shell.collapseLeft());
  say("JupyterLab is there");
  await guided();
  await controls();
  await notebook();
  must(!complaints.length, `the pages reported ${complaints.length} errors, the first: ${complaints[0]}`);
} catch (e) {
  await shot("failed");
  console.error(e);
  process.exitCode = 1;
} finally {
  await browser.close();
}
