import fs from "node:fs"
import path from "node:path"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import { type KnownFile, replaceFile } from "../../ground/paths/change-file.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/**
 * Adds rules that allow to the user's own configuration file. Comments and order stay. Nothing is written where the file
 * cannot be read as a whole, or already has the rules. Returns the file.
 */
export async function addAllowRules(folder: string, rules: readonly string[]): Promise<string> {
  const file = withoutLinks(path.join(folder, "config.yaml"))
  const before = readFile(file)
  const text = before ? Buffer.from(before.bytes).toString("utf8") : ""
  const after = await withAllowed(file, text, rules)
  if (after !== text) {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    await replaceFile(path.dirname(file), file, Buffer.from(after), {
      expected: before ?? "absent",
      readers: "owner",
    })
  }
  return file
}

function readFile(file: string): KnownFile | undefined {
  try {
    return { stats: fs.statSync(file, { bigint: true }), bytes: fs.readFileSync(file) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

async function withAllowed(file: string, text: string, rules: readonly string[]): Promise<string> {
  const { isMap, isSeq, parseDocument } = await import("yaml")
  const document = parseDocument(text, { schema: "core", strict: true })
  const [error] = document.errors
  const refuse = (why: string) =>
    new CadreError(
      "CONFIGURATION_INVALID",
      `${file} was not changed: ${why}. Add the rule yourself, below permissions.allow: ${rules.map((rule) => JSON.stringify(rule)).join(", ")}.`,
    )
  if (error) throw refuse(`it is no valid YAML (${describeThrown(error).split("\n")[0]})`)
  if (document.contents !== null && !isMap(document.contents)) throw refuse("it is no map")
  const permissions = document.get("permissions")
  if (permissions !== undefined && permissions !== null && !isMap(permissions))
    throw refuse("`permissions` is no map")
  const allowed = document.getIn(["permissions", "allow"])
  if (allowed !== undefined && allowed !== null && !isSeq(allowed))
    throw refuse("`permissions.allow` is no list")
  const present: readonly unknown[] = allowed ? (allowed.toJSON() as readonly unknown[]) : []
  const missing = rules.filter((rule) => !present.includes(rule))
  if (missing.length === 0) return text
  if (allowed) for (const rule of missing) document.addIn(["permissions", "allow"], rule)
  else document.setIn(["permissions", "allow"], document.createNode(missing))
  return document.toString({ lineWidth: 0 })
}
