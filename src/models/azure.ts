import type { ModelProtocol } from "../model.ts"

/**
 * The address of an Azure resource, from what its variable says: an address, or the resource's name. A version of the
 * API that the environment names goes into the query.
 */
export function azureResource(value: string, environment: NodeJS.ProcessEnv): string {
  const address = /^[\w-]+$/.test(value) ? `https://${value}.openai.azure.com` : value
  const version = [environment.AZURE_OPENAI_API_VERSION, environment.OPENAI_API_VERSION]
    .map((text) => text?.trim())
    .find(Boolean)
  if (version === undefined || !URL.canParse(address)) return address
  const url = new URL(address)
  if (url.searchParams.has("api-version") || url.pathname.endsWith("/v1")) return address
  url.searchParams.set("api-version", version)
  return url.href
}

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
