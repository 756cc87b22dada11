import fs from "node:fs"
import path from "node:path"
import { type Configuration, readConfiguration } from "./configuration.ts"

/** For tests: writes the settings of a user and of a project into files below a folder, and reads them. */
export function readBoth(
  folder: string,
  { user = "", project = "" }: { readonly user?: string; readonly project?: string },
): { readonly configuration: Configuration; readonly findings: readonly string[] } {
  for (const [place, text] of [
    ["user", user],
    ["project/.cadre", project],
  ] as const) {
    fs.mkdirSync(path.join(folder, place), { recursive: true })
    fs.writeFileSync(path.join(folder, place, "config.yaml"), text)
  }
  const { configuration, diagnostics } = readConfiguration({
    cwd: path.join(folder, "project"),
    home: path.join(folder, "home"),
    environment: { CADRE_CONFIG_DIR: path.join(folder, "user") },
  })
  const findings = diagnostics.map(
    ({ code, message, range: { start } }) => `${code} ${start.line}:${start.column} ${message}`,
  )
  return { configuration, findings }
}
