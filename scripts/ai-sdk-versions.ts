/**
 * `npm run ai-sdk-versions`: tests the adapter for AI SDK packages with every major version that cadre accepts. Each
 * version is installed into a temporary folder, because the newest one needs a newer Node than cadre does.
 */
import { execFileSync, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const packages = ["@ai-sdk/openai", "@ai-sdk/google"]
const tests = [
  "src/world/models/ai-sdk/ai-sdk.test.ts",
  "src/world/models/contract.test.ts",
  "src/faces/testing/model-server-responses.test.ts",
  "src/faces/testing/model-server-gemini.test.ts",
]

const versions = acceptedVersions()
const failed = versions.filter((version) => !passesWith(version))
console.log(`AI SDK packages, versions ${versions.join(", ")}: ${failed.length} failed`)
if (failed.length > 0) process.exitCode = 1

/** The major versions that package.json names for the optional packages: "3 || 4". */
function acceptedVersions(): readonly string[] {
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    peerDependencies: Record<string, string>
  }
  return peerDependencies[packages[0]!]!.split("||").map((version) => version.trim())
}

function passesWith(version: string): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-ai-sdk-"))
  try {
    fs.writeFileSync(path.join(folder, "package.json"), "{}")
    const install = ["install", "--no-audit", "--no-fund", "--loglevel=error"]
    execFileSync("npm", [...install, ...packages.map((name) => `${name}@${version}`), "zod@4"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    })
    // Tests find these packages in the temporary folder, and everything else in the repository.
    const config = path.join(folder, "vitest.config.mjs")
    const alias = Object.fromEntries(packages.map((name) => [name, entryOf(name, folder)]))
    fs.writeFileSync(
      config,
      `export default { root: ${JSON.stringify(root)}, resolve: { alias: ${JSON.stringify(alias)} }, test: { testTimeout: 600000 } }\n`,
    )
    console.log(`AI SDK packages, version ${version}`)
    const { status } = spawnSync("npx", ["vitest", "run", "--config", config, ...tests], {
      cwd: root,
      stdio: "inherit",
    })
    return status === 0
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function entryOf(name: string, folder: string): string {
  const place = path.join(folder, "node_modules", name)
  const { exports } = JSON.parse(fs.readFileSync(path.join(place, "package.json"), "utf8")) as {
    exports: { ".": { import?: string; default?: string } }
  }
  return path.join(place, exports["."].import ?? exports["."].default!)
}
