import type { ModelProtocol } from "../../agent/model.ts"

/**
 * Where a deployment is asked, below which a client adds its own path. Without a dated version of the API that is the
 * same for all deployments (`/openai/v1`); with one, chat completions have an address for each. An address that says
 * more than the resource is left as it is.
 */
export function azureAddress(address: string, deployment: string, protocol: ModelProtocol): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (!/^(?:\/openai)?\/*$/.test(url.pathname)) return address
  const isDated = /^\d{4}-/.test(url.searchParams.get("api-version") ?? "")
  if (!isDated) url.pathname = "/openai/v1"
  else
    url.pathname = protocol === "openai" ? `/openai/deployments/${encodeURIComponent(deployment)}` : "/openai"
  return url.href
}
