import type { McpServerSettings } from "../../agent/mcp-server.ts"

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Fills in the variables of an entry: `${NAME}` and `${NAME:-default}`. Reports missing variables by name, because a
 * server with an empty key would fail for a reason that is hard to see.
 */
export function expandEntry<Settings extends McpServerSettings>(
  settings: Settings,
  environment: Environment,
): Settings | { readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const expandText = (template: string): string =>
    template.replace(variable, (_, name: string, otherwise?: string) => {
      const value = environment[name]
      if (otherwise !== undefined) return value === undefined || value === "" ? otherwise : value
      if (value === undefined) missing.add(name)
      return value ?? ""
    })
  const expanded = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      expandable.has(key) ? mapTexts(value, expandText) : value,
    ]),
  )
  return missing.size > 0 ? { missing: [...missing] } : (expanded as unknown as Settings)
}

/** Lists the variables that a text uses. */
export const listVariables = (text: string): readonly string[] =>
  [...text.matchAll(variable)].map(([, name]) => name!)

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

const expandable: ReadonlySet<string> = new Set("command args env url headers visible writable".split(" "))

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]))
}
