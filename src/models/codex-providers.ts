import { readFile } from "node:fs/promises"
import path from "node:path"
import { messageOf } from "../errors.ts"
import { isMap } from "../message.ts"
import { isProviderId, isText, type Provider, textsIn } from "./provider.ts"

export interface CodexProviders {
  readonly providers: readonly Provider[]
  readonly warnings: readonly string[]
}

/** The `model_providers` of the person's own Codex configuration. Only read, and never a reason to fail. */
export async function readCodexProviders(
  environment: NodeJS.ProcessEnv,
  home: string,
): Promise<CodexProviders> {
  const folder = environment.CODEX_HOME?.trim() || path.join(home, ".codex")
  const file = path.join(folder, "config.toml")
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch {
    return { providers: [], warnings: [] }
  }
  try {
    const { parse } = await import("smol-toml")
    const { model_providers: given } = parse(text)
    const entries = isMap(given) ? Object.entries(given) : []
    return { providers: entries.flatMap(([id, entry]) => codexProvider(id, entry)), warnings: [] }
  } catch (error) {
    // Only the first line: the rest of the message shows the file's text, in which there may be a key.
    const reason = messageOf(error).split("\n")[0]
    return {
      providers: [],
      warnings: [`${file} is no valid TOML, so the model providers in it are not known: ${reason}`],
    }
  }
}

function codexProvider(id: string, entry: unknown): readonly Provider[] {
  if (!isProviderId(id) || !isMap(entry)) return []
  const { base_url, env_key, wire_api, http_headers, env_http_headers, query_params } = entry
  if (!isText(base_url)) return []
  return [
    {
      id,
      // Whoever leaves it out wrote for a Codex whose default was chat.
      protocol: wire_api === "responses" ? "responses" : "openai",
      baseUrl: withQuery(base_url, query_params),
      baseUrlFrom: `model_providers.${id}.base_url of Codex`,
      endpoints: [],
      keyVariables: isText(env_key) ? [env_key] : [],
      tokenVariables: [],
      key: isText(env_key) ? "needed" : "optional",
      headers: textsIn(http_headers),
      headerVariables: textsIn(env_http_headers),
      source: "codex",
    },
  ]
}

function withQuery(address: string, parameters: unknown): string {
  const query = new URLSearchParams(textsIn(parameters)).toString()
  return query === "" ? address : `${address}${address.includes("?") ? "&" : "?"}${query}`
}
