/**
 * Runs the lists of hostile commands and repositories as the root of a container and as another user, each in a copy of
 * this repository that is theirs, and prints what was denied and what passed. As root: `npm run hostile-lists [-- nobody]`.
 */
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const repository = path.resolve(import.meta.dirname, "..")
const lists = ["test/shell", "test/authority/hostile.slow.test.ts"]
const users = [
  { name: "root", id: 0 },
  { name: "nobody", id: 65_534 },
]

const named = process.argv.slice(2)
const chosen = users.filter(({ name }) => named.length === 0 || named.includes(name))

if (process.getuid?.() !== 0) {
  console.error("Only root can be both users: run it in a container.")
  process.exitCode = 1
} else process.exitCode = chosen.map(runAs).every((ok) => ok) ? 0 : 1

function runAs({ name, id }: (typeof users)[number]): boolean {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-hostile-lists-")))
  try {
    const place = path.join(base, "repository")
    copyRepository(place)
    for (const folder of ["home", "tmp"]) fs.mkdirSync(path.join(base, folder))
    spawnSync("chown", ["-RP", `${id}:${id}`, base])
    const report = path.join(base, "report.json")
    const vitest = [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...lists,
      "--reporter=json",
      `--outputFile=${report}`,
    ]
    run(id, base, [process.execPath, ...vitest, "--testTimeout=300000"])
    const tests = countTests(report)
    const counted = run(id, base, [process.execPath, "--import", "tsx", "scripts/hostile-lists/count.ts"])
    const commands = JSON.parse(counted.trimEnd().split("\n").at(-1) ?? "") as Record<
      string,
      { allow: number }
    >
    console.log(JSON.stringify({ user: name, id, tests, commands }))
    return tests.failed === 0 && tests.passed > 0 && Object.values(commands).every(({ allow }) => allow === 0)
  } finally {
    fs.rmSync(base, { recursive: true, force: true })
  }
}

/** Everything but what is installed, which is linked: so each user can write beside it. */
function copyRepository(place: string): void {
  for (const name of fs.readdirSync(repository))
    if (name !== "node_modules" && name !== ".git")
      fs.cpSync(path.join(repository, name), path.join(place, name), {
        // Slow tests compare the times of dist and src.
        preserveTimestamps: true,
        recursive: true,
        verbatimSymlinks: true,
      })
  fs.mkdirSync(path.join(place, "node_modules"))
  const installed = path.join(repository, "node_modules")
  for (const name of fs.readdirSync(installed))
    if (!/^\.(?:vite|cache)/.test(name))
      fs.symlinkSync(path.join(installed, name), path.join(place, "node_modules", name))
}

/** What a program prints that runs as somebody, with nothing of this process's surroundings but the search path. */
function run(id: number, base: string, words: readonly string[]): string {
  const who = [`--reuid=${id}`, `--regid=${id}`, "--clear-groups"]
  const { stdout, stderr, error } = spawnSync("setpriv", [...who, ...words], {
    cwd: path.join(base, "repository"),
    env: {
      PATH: process.env.PATH,
      HOME: path.join(base, "home"),
      TMPDIR: path.join(base, "tmp"),
      LANG: "C.UTF-8",
    },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  })
  if (error) throw error
  if (stderr) process.stderr.write(stderr)
  return stdout
}

function countTests(report: string): { passed: number; failed: number; skipped: number } {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    fs.readFileSync(report, "utf8"),
  )
  for (const { assertionResults } of testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "failed")
        console.log(`failed: ${fullName}: ${String(failureMessages[0]).slice(0, 2_000)}`)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
}
