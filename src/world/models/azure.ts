/** The address of an Azure resource, from its address or name, and the API's version from the environment. */
export function buildAzureResource(value: string, environment: NodeJS.ProcessEnv): string {
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
