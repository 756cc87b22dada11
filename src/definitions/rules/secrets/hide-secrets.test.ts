import { expect, test } from "vitest"
import { processorTime } from "../../../../test/processor-time.ts"
import { hideSecrets } from "./hide-secrets.ts"

const lineOne = (from: number, to: number) => ({
  start: { line: 1, column: from },
  end: { line: 1, column: to },
})

test.each([
  ["a value with a telling name", `env: {API_KEY: correct-horse}`, `env: {API_KEY: *************}`],
  ["a quoted value", `{"clientSecret": "two words"}`, `{"clientSecret": "*********"}`],
  ["a value with an escaped quote", `{"token": "ab\\"cdefgh"}`, `{"token": "**********"}`],
  ["an option", `args: ["--token=correct-horse"]`, `args: ["--token=*************"]`],
  ["an option and its value", `["--password", "correct-horse"]`, `["--password", "*************"]`],
  ["a header", `Authorization: "Bearer correct"`, `Authorization: "**************"`],
  ["a query", "url: https://a.test/?token=correct-horse", "url: https://a.test/?token=*************"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what files write.
  ["no variable", "API_KEY: ${OTHER_API_KEY}", "API_KEY: ${OTHER_API_KEY}"],
  [
    "no path",
    "KEY_FILE: /home/ada/key, ssh_key: ~/.ssh/id_rsa",
    "KEY_FILE: /home/ada/key, ssh_key: ~/.ssh/id_rsa",
  ],
  ["no number", "max_token: 123456789", "max_token: 123456789"],
  ["no prose", "The token that the server wants.", "The token that the server wants."],
])("%s", (_, text, hidden) => {
  expect(hideSecrets(text, [])).toBe(hidden)
})

test("what a finding calls a secret is hidden, whatever its name", () => {
  const text = "  db: {args: [serve, correct-horse], env: {PLAIN: battery}}"
  expect(hideSecrets(text, [{ code: "mcp-server-secret", range: lineOne(14, 37) }])).toBe(
    "  db: {args: [*****, *************], env: {PLAIN: battery}}",
  )
  expect(hideSecrets(text, [{ code: "mcp-server-invalid", range: lineOne(14, 37) }])).toBe(text)
})

test("a finding at a key hides the value, over several lines, too", () => {
  const text = "apiKey: >\n  correct-horse\n\n  battery\nname: reviewer\n"
  expect(hideSecrets(text, [{ code: "secret-in-file", range: lineOne(1, 7) }])).toBe(
    "apiKey: >\n  *************\n\n  *******\nname: reviewer\n",
  )
})

test("a large text is read at once", () => {
  const began = processorTime()
  hideSecrets("token token, key_key_key=\n".repeat(40_000), [])
  hideSecrets(`${"a-".repeat(500_000)}token`, [])
  expect(processorTime() - began).toBeLessThan(15_000)
})
