import type { McpServerSettings } from "../../agent/mcp-server.ts"

type Environment = Readonly<Record<string, string | undefined>>

/**
 * An entry with its variables filled in: `${NAME}`, and `${NAME:-what holds without it}`. It names those that are missing,
 * because a server that gets an empty key fails for another reason.
 */
export function expandEntry<Settings extends McpServerSettings>(
  settings: Settings,
  environment: Environment,
): Settings | { readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const text = (given: string): string =>
    given.replace(variable, (_, name: string, otherwise?: string) => {
      const value = environment[name]
      if (otherwise !== undefined) return value === undefined || value === "" ? otherwise : value
      if (value === undefined) missing.add(name)
      return value ?? ""
    })
  const expanded = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [key, expandable.has(key) ? inTexts(value, text) : value]),
  )
  return missing.size > 0 ? { missing: [...missing] } : (expanded as unknown as Settings)
}

/** The variables that an entry names. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(variable)].map(([, name]) => name!)

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

const expandable: ReadonlySet<string> = new Set("command args env url headers visible writable".split(" "))

function inTexts(value: unknown, text: (given: string) => string): unknown {
  if (typeof value === "string") return text(value)
  if (Array.isArray(value)) return value.map((one) => inTexts(one, text))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inTexts(one, text)]))
}
