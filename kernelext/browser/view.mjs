// Does with the page of ddps view what a reader does, and fails where it does not do what the reader expects:
//
//   node view.mjs CHROMIUM URL EXPECTED EVIL SHOTS
//
// URL is the page's, EXPECTED what it must say, as JSON (see view_test.go), EVIL the file of a page whose names are
// markup, SHOTS a folder for screenshots.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [program, address, expected, evil, shots] = process.argv.slice(2);
const want = JSON.parse(expected);
mkdirSync(shots, { recursive: true });
const must = (ok, what) => {
  if (!ok) throw new Error(what);
};
const say = (what) => console.log("    " + what);

const browser = await chromium.launch({ executablePath: program, args: ["--disable-gpu"] });
const faults = [];

// open opens a page in a window of its own; what it says on its console, or loads besides itself, is a fault.
async function open(url, settings) {
  const page = await (await browser.newContext(settings)).newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (m) => faults.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => faults.push(`error: ${e}`));
  page.on("request", (r) => r.url() !== url && !r.url().startsWith("data:") && faults.push(`request: ${r.url()}`));
  await page.goto(url);
  await page.locator("#panels svg").waitFor();
  return page;
}

const told = async (page, panel = 0) => page.locator("#panels [role=status]").nth(panel).innerText();
const label = (page, name) => page.locator("#sets label", { hasText: name }).first();

// says fails unless the first figure's text has the words.
async function says(page, ...words) {
  const text = await told(page);
  for (const w of words) must(text.includes(w), `the page says ${JSON.stringify(text)}, not ${w}`);
}

// pick adds a place, by keys alone.
async function pick(page, name, layer) {
  const value = await page.locator("#spot option", { hasText: name }).first().getAttribute("value");
  await page.locator("#spot").selectOption(value);
  await page.locator("#layer").selectOption({ label: layer ? `layer ${layer}` : "any layer" });
  await page.locator("#add").focus();
  await page.keyboard.press("Enter");
}

// street returns how often the page says that paths go along the expected street.
async function street(page) {
  const titles = await page.locator("#panels svg line.street title").allTextContents();
  const [a, b] = want.Street.split("|");
  const text = titles.find((t) => t.startsWith(a + ":") || t.startsWith(b + ":"));
  must(text, `no line is called ${want.Street}`);
  return Number(text.match(/\(([\d,]+)\)$/)[1].replaceAll(",", ""));
}

async function counts(page) {
  await says(page, `${want.Paths} paths, ${want.Distinct} distinct`);
  must((await street(page)) === want.Traversals, `${await street(page)} traversals of ${want.Street}, not ${want.Traversals}`);
  const option = await page.locator("#spot option", { hasText: want.Name }).first().innerText(), share = (100 * want.Any) / want.Paths;
  must(Math.abs(parseFloat(option.slice(want.Name.length + 2)) - share) <= share / 200, `the list says ${option}, not ${share} %`);
  await pick(page, want.Name);
  await says(page, `${want.Any} of ${want.Paths} paths`, "95 % interval");
  must((await street(page)) === want.Led, `${await street(page)} traversals of ${want.Street} through ${want.Name}`);
  must((await page.locator("#as-text code").innerText()) === `visit(place ${want.Place})`, "the condition is written otherwise");
  await pick(page, want.Other);
  await says(page, `${want.Both} of ${want.Paths} paths`);
  await page.locator("#clear").focus();
  await page.keyboard.press("Space");
  await says(page, `${want.Paths} paths`);
  await pick(page, want.Name, want.Layer);
  await says(page, `${want.At} of ${want.Paths} paths`);
  must((await page.locator("#as-text code").innerText()) === `visit(place ${want.Place}, layer ${want.Layer})`, "the layer is not in the condition");
  await page.locator("#filters button").click();
  await says(page, `${want.Paths} paths`);
  const hit = page.locator("#panels svg circle.hit", { has: page.locator("title", { hasText: new RegExp(`^${want.Name.split(" ")[0]}:`) }) });
  await hit.click({ force: true }); // a click on the map does the same
  await says(page, `${want.Any} of ${want.Paths} paths`);
  await hit.click({ force: true });
  await says(page, `${want.Paths} paths`);
  say("it counts what there is");
}

async function strengths(page) {
  const figure = () => page.locator("#panels svg").first().innerHTML();
  const slider = page.locator("#lambda");
  const before = await figure();
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  must((await page.locator("#lambda-value").innerText()) === "λ = 100" && (await slider.getAttribute("aria-valuetext")) === "λ = 100", "the slider stands elsewhere");
  must((await figure()) !== before, "the slider changes no figure");
  must(await label(page, "Algorithm 2").locator("input").isChecked(), "the slider does not choose its sample");
  must((await page.locator("#panels h3").innerText()) === "Algorithm 2, λ = 100", "the figure is called otherwise");
  await page.keyboard.press("End");
  must((await page.locator("#lambda-value").innerText()) === "λ = 1000", "End does not go to the end");
  await label(page, "the greatest reward").locator("input").focus();
  await page.keyboard.press("Space");
  await says(page, "mean reward 4, 100 % earn the greatest");
  await page.keyboard.press("ArrowDown"); // on to the first condition
  must((await page.locator("#panels h3").innerText()) === "visit(place 30)", "the arrow does not go on to the condition");
  must((await label(page, "visit(place 30)").innerText()).includes("probability 0.14"), "the condition has no probability");
  await page.locator("#beside").selectOption({ label: "unguided" });
  must((await page.locator("#panels svg").count()) === 2 && (await told(page, 1)).startsWith(`${want.Paths} paths`), "nothing stands beside it");
  await page.locator("#path-0").focus();
  await page.keyboard.press("Enter");
  must((await page.locator("#panels svg polyline.shown").first().getAttribute("points")).includes(","), "no path is shown");
  must((await page.locator("#path-0").innerText()) === "Hide" && (await page.evaluate(() => document.activeElement.id)) === "path-0", "the focus is lost");
  await page.locator("#same").check();
  await page.locator("#view-layers").check();
  must((await page.locator("#panels svg").first().getAttribute("aria-label")).startsWith("Graph of visit(place 30)"), "the figure has no name");
  await page.locator("#panels svg circle.hit").nth(40).click({ force: true });
  must((await page.locator("#filters li").innerText()).includes("in layer"), "a vertex of a layer cannot be chosen");
  await page.locator("#clear").click();
  say("λ, conditions, comparison and layers do what they should");
}

// keys goes through the page by Tab: what can be used is in order, has a name, and shows the focus.
async function keys(page) {
  const order = [];
  for (let k = 0; k < 40; k++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement, s = getComputedStyle(e);
      const name = e.getAttribute("aria-label") || (e.getAttribute("aria-labelledby") && document.getElementById(e.getAttribute("aria-labelledby")).textContent) ||
        (e.labels?.length ? e.labels[0].textContent : e.textContent);
      return { id: e.id || e.className, name: name.trim(), outline: s.outlineStyle === "none" ? 0 : parseFloat(s.outlineWidth), body: e === document.body };
    });
    if (at.body) break;
    must(at.name, `${at.id} has no name`);
    must(at.outline >= 2, `${at.id} does not show the focus`);
    order.push(at.id);
  }
  const some = ["skip", "set-0", "lambda", "beside", "spot", "layer", "add", "view-map", "same", "scroll", "path-0"];
  const found = order.filter((id) => some.includes(id));
  must(found.join() === some.join(), `Tab goes ${order.join(", ")}`);
  say("keys reach everything");
}

// legible checks the contrast of texts with what is behind them, in both schemes.
async function legible(page, dark) {
  const [text, muted, back] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.querySelector(".note")).color,
    getComputedStyle(document.body).backgroundColor].map((c) => c.match(/\d+/g).slice(0, 3).map(Number)));
  const luminance = (c) => c.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)).reduce((s, x, k) => s + x * [0.2126, 0.7152, 0.0722][k], 0);
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  must(luminance(back) < 0.1 === dark, `the background is ${back}`);
  for (const c of [text, muted]) must(contrast(c, back) >= 4.5, `text of ${c} on ${back}`);
}

try {
  const desk = { viewport: { width: 1300, height: 1000 }, colorScheme: "light" };
  const page = await open(address, desk);
  await keys(page);
  await page.reload();
  await page.screenshot({ path: `${shots}/view-light.png` });
  await legible(page, false);
  await counts(page);
  await strengths(page);
  await page.screenshot({ path: `${shots}/view-layers.png`, fullPage: true });

  const night = await open(address, { ...desk, colorScheme: "dark" });
  await legible(night, true);
  await night.locator("#lambda").focus();
  await night.keyboard.press("End");
  await night.locator("#beside").selectOption({ label: "unguided" });
  await night.screenshot({ path: `${shots}/view-dark.png` });

  const small = await open(address, { viewport: { width: 1060, height: 700 }, colorScheme: "light" }); // docs/view.png
  await small.locator("#lambda").focus();
  await small.keyboard.press("End");
  await small.locator("#beside").selectOption({ label: "visit(place 30)" });
  await small.locator("#path-0").click();
  await small.mouse.move(0, 0);
  await small.evaluate(() => scrollTo(0, 0));
  await small.screenshot({ path: `${shots}/view-readme.png` });

  const zoomed = await open(address, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }); // 1280 × 800 at 200 %
  must(await zoomed.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "at 200 % the page is wider than the window");
  await zoomed.screenshot({ path: `${shots}/view-zoomed.png`, fullPage: true });
  say("it is legible, light and dark, and large");

  const hostile = await open(pathToFileURL(evil).href, desk);
  must((await hostile.title()) === "evil.json" && (await hostile.locator("img").count()) === 0, "a name broke out");
  must((await hostile.locator("#spot option", { hasText: "<img src=x onerror=" }).count()) === 1, "a name is not shown as it is");
  must(faults.length === 0, faults.join("\n"));
  say("nothing is loaded, nothing complained of");
} catch (e) {
  console.error(e, faults);
  process.exitCode = 1;
} finally {
  await browser.close();
}
