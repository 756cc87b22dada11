import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { test } from "vitest"

const cache = path.resolve(import.meta.dirname, "../../node_modules/.cache/cadre-mcp-servers")

/** A published program of a server, too large to be a dependency of the tests. */
export interface PublishedServer {
  /** The folder that the program needs to read. */
  readonly folder: string
  /** The file that Node runs. */
  readonly program: string
}

/**
 * Installs a package from npm into a folder that the next run of the tests finds again. Undefined where npm cannot be
 * reached: the test that stands in place of the others says so, and fails where CADRE_REQUIRE_MATERIAL is set.
 */
export function publishedServer(name: string, version: string): PublishedServer | undefined {
  const folder = path.join(cache, `${name.replace("/", "+")}@${version}`)
  try {
    if (!fs.existsSync(folder)) install(`${name}@${version}`, folder)
  } catch (error) {
    const missing = `${name}@${version} cannot be installed from npm: ${(error as Error).message}`
    console.warn(`SKIPPED: ${missing}`)
    test.skipIf(process.env.CADRE_REQUIRE_MATERIAL === undefined)(`${name}@${version} is there`, () => {
      throw new Error(missing)
    })
    return undefined
  }
  const place = path.join(folder, "node_modules", name)
  const { bin } = JSON.parse(fs.readFileSync(path.join(place, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>
  }
  return { folder, program: path.join(place, Object.values(bin)[0]!) }
}

/** The folder appears whole or not at all. */
function install(what: string, folder: string): void {
  fs.mkdirSync(cache, { recursive: true })
  const unfinished = fs.mkdtempSync(path.join(cache, "unfinished-"))
  try {
    fs.writeFileSync(path.join(unfinished, "package.json"), "{}")
    execFileSync(
      "npm",
      ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", what],
      {
        cwd: unfinished,
        stdio: ["ignore", "ignore", "pipe"],
        timeout: 300_000,
        // The tests have a home of their own; where npm is configured is in the person's.
        env: { ...process.env, HOME: os.userInfo().homedir },
      },
    )
    fs.renameSync(unfinished, folder)
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}
