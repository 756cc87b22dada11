import type { ModelProtocol } from "../../agent/model.ts"

/**
 * The base address for a deployment, to which a client adds its own path. Without a dated version of the API all
 * deployments share `/openai/v1`. With one, chat completions have an address for each deployment. An address with any
 * other path stays as it is.
 */
export function buildAzureAddress(address: string, deployment: string, protocol: ModelProtocol): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (!/^(?:\/openai)?\/*$/.test(url.pathname)) return address
  const isDated = /^\d{4}-/.test(url.searchParams.get("api-version") ?? "")
  if (!isDated) url.pathname = "/openai/v1"
  else
    url.pathname = protocol === "openai" ? `/openai/deployments/${encodeURIComponent(deployment)}` : "/openai"
  return url.href
}
