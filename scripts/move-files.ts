// npm run move-files -- PLAN.json: moves files and folders of the repository and mends every path that leads to them:
// imports, `new URL("…", import.meta.url)`, `import.meta.dirname, "../…"`, links in pages and quoted paths such as
// "src/run/event.ts" or "test/run/order.test.ts".
// The plan is an object: where something lies (a file, or a folder with a slash at its end) and where it goes. What is
// not there any more, because an earlier run moved it, is passed over: so a branch can follow with the same plan.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

const [planFile] = process.argv.slice(2)
if (planFile === undefined) {
  console.error("Usage: npm run move-files -- PLAN.json")
  process.exit(2)
}
const plan = Object.entries(JSON.parse(fs.readFileSync(planFile, "utf8")) as Record<string, string>)
// The longest first: a file that is named goes its own way, whatever its folder does.
plan.sort(([left], [right]) => right.length - left.length)

const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8", maxBuffer: 1 << 28 })
const files = git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
  .split("\0")
  .filter((file) => file !== "" && fs.statSync(file, { throwIfNoEntry: false })?.isFile())
const moved = new Map(files.map((file) => [file, target(file)]))
const folders = new Set(files.flatMap(parents))

for (const [from, to] of moved) {
  const before = fs.readFileSync(from)
  const text = isText(from) ? mended(before.toString(), from, to) : undefined
  if (from !== to) {
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.renameSync(from, to)
  }
  if (text !== undefined && text !== before.toString()) fs.writeFileSync(to, text)
}

/** Where a path of the repository, a file's or a folder's, lies after the move. */
function target(place: string): string {
  for (const [from, to] of plan) {
    if (place === from || `${place}/` === from) return to.replace(/\/$/, "")
    if (from.endsWith("/") && place.startsWith(from)) return to + place.slice(from.length)
  }
  return place
}

function mended(text: string, from: string, to: string): string {
  const relative = text.replace(
    /((?:from|import|import\(|URL\(|mock\()\s*)(["'])(\.\.?\/[^"'\n]*)\2/g,
    (_, before: string, quote: string, way: string) => before + quote + mendedWay(way, from, to) + quote,
  )
  // It may lead to what git does not know: what is built, or what lies beside the repository.
  const resolved = relative.replace(
    /(import\.meta\.dirname,\s*)"(\.\.[^"\n]*)"/g,
    (_, before: string, way: string) =>
      `${before}"${path.posix.relative(path.posix.dirname(to), target(path.posix.join(path.posix.dirname(from), way)))}"`,
  )
  const linked = from.endsWith(".md")
    ? resolved.replace(/\]\(([^)#\s:]+)/g, (_, way: string) => {
        const mend = mendedWay(way.startsWith(".") ? way : `./${way}`, from, to)
        return `](${way.startsWith(".") || mend.startsWith("..") ? mend : mend.slice(2)}`
      })
    : resolved
  return linked.replace(
    /(?<=[\s"'`(])((?:\.\.\/)*)((?:src|test)\/[\w./{},-]*[\w}/])/g,
    (whole, up: string, way: string) => {
      const bare = way.replace(/\/$/, "")
      return moved.has(bare) || folders.has(bare) ? up + target(bare) + (way.endsWith("/") ? "/" : "") : whole
    },
  )
}

/** A way from a file, as it must be written where the file and what it leads to are now. */
function mendedWay(way: string, from: string, to: string): string {
  const place = path.posix.join(path.posix.dirname(from), way)
  const bare = place.replace(/\/$/, "")
  if (!moved.has(bare) && !folders.has(bare)) return way
  const after = path.posix.relative(path.posix.dirname(to), target(bare)) || "."
  return (after.startsWith(".") ? after : `./${after}`) + (way.endsWith("/") ? "/" : "")
}

function parents(file: string): string[] {
  const above = path.posix.dirname(file)
  return above === "." ? [] : [above, ...parents(above)]
}

/** Plans keep their paths: a branch is to follow with the same one. */
function isText(file: string): boolean {
  if (file.startsWith("scripts/move-files/")) return false
  return /\.(?:[mc]?[jt]s|json|md|ya?ml|sh)$/.test(file) || file.startsWith(".ci/")
}
