/** Whether what a provider reports is what it was asked for: dates, `latest` and a path before the name aside. */
export const isSameModel = (asked: string, reported: string): boolean => plain(asked) === plain(reported)

/** `models/gemini-2.5-pro-001`, `claude-sonnet-4-5-20250929`, `llama3:latest` and `/models/qwen.gguf` are known by less. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .slice(name.lastIndexOf("/") + 1)
    .replace(/\.gguf$/, "")
    .replace(/\[[^\]]*\]$/, "")
    .replace(/[-:](?:latest|free|nitro)$/, "")
    .replace(/[-@](?:\d{4}-?\d{2}-?\d{2}|00\d)$/, "")
}
