// npm run test-titles: the titles of all tests, with how many rows and assertions each has.
// npm run test-titles -- --base REV: which titles are gone, new, or have fewer rows or assertions than at that commit.
// Files do not count, so that a test may be moved. Nothing is run: the sources are read.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import { compareTitles, joinTitles, type Titles } from "./test-titles/compare.ts"
import { titlesIn } from "./test-titles/titles-in.ts"

const [option, base, ...more] = process.argv.slice(2)
if (option === undefined) console.log(list(titlesNow()).join("\n"))
else if (option === "--base" && base !== undefined && more.length === 0)
  console.log(compareTitles(titlesAt(base), titlesNow()).join("\n"))
else {
  console.error("Usage: npm run test-titles [-- --base REV]")
  process.exitCode = 2
}

function list(titles: Titles): readonly string[] {
  return [...titles].map(
    ([title, { tests, assertions }]) => `${title}  (${tests} tests, ${assertions} assertions)`,
  )
}

function titlesNow(): Titles {
  const files = git("ls-files", "--cached", "--others", "--exclude-standard", "src", "test").split("\n")
  const there = files.filter((file) => isRead(file) && fs.existsSync(file))
  return joinTitles(there.map((file) => titlesIn(fs.readFileSync(file, "utf8"))))
}

function titlesAt(revision: string): Titles {
  const files = git("ls-tree", "-r", "--name-only", revision, "src", "test").split("\n").filter(isRead)
  return joinTitles(files.map((file) => titlesIn(git("show", `${revision}:${file}`))))
}

/** Kits have tests in them, too. */
function isRead(file: string): boolean {
  return file.endsWith(".test.ts") || (file.startsWith("test/") && file.endsWith(".ts"))
}

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { encoding: "utf8", maxBuffer: 1 << 28 })
}
