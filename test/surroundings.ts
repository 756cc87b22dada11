import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const areMade = Symbol.for("cadre: the surroundings of tests are made")

/**
 * Gives the whole suite a home and a temporary folder of its own, and takes away what else of a person's surroundings
 * cadre, git and npm read. A test that forgets to make its own then meets an empty one, and leaves nothing behind.
 */
export default function setup(): () => void {
  // Both kinds of tests ask for it, each with this file loaded anew.
  if (areMade in globalThis) return () => {}
  Object.assign(globalThis, { [areMade]: true })
  const base = fs.realpathSync(fs.mkdtempSync(path.join(temporaryFolder(), "suite-")))
  for (const name of Object.keys(process.env)) if (isPersonal(name)) delete process.env[name]
  const [home, sockets] = [path.join(base, "home"), path.join(base, "run")]
  for (const folder of [home, sockets]) fs.mkdirSync(folder, { mode: 0o700 })
  Object.assign(process.env, { HOME: home, TMPDIR: base, XDG_RUNTIME_DIR: sockets })
  // Node makes none, and a quick test starts no program that does.
  if (process.platform !== "win32") execFileSync("mkfifo", [path.join(base, "pipe")])
  return () => {
    // Paths get longer there than Node can name.
    if (process.platform === "win32") fs.rmSync(base, { recursive: true, force: true })
    else execFileSync("rm", ["-rf", "--", base])
  }
}

/**
 * Short enough for the addresses of sockets: where they would get too long, they lie in /tmp, which is nobody's own. Under a
 * tracer that is run under another, /tmp cannot be written.
 */
const temporaryFolder = (): string =>
  process.platform !== "win32" && os.tmpdir().length > 37 && isWritable("/tmp") ? "/tmp" : os.tmpdir()

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

const isPersonal = (name: string): boolean =>
  !ofTheTests.includes(name) &&
  (/^(?:XDG|CADRE|CODEX|CLAUDE|GIT|npm)_/i.test(name) || /_(?:KEY|TOKEN)$/.test(name))

/** What says how much is tested, and with what. */
const ofTheTests = [
  "CADRE_KILL_ROUNDS",
  "CADRE_MATERIAL",
  "CADRE_NO_SANDBOX",
  "CADRE_NO_STRACE",
  "CADRE_RACES",
  "CADRE_REQUIRE_MATERIAL",
  "CADRE_TEST_RIPGREP",
]
