import { describe, expect, test } from "vitest"
import { processorTime } from "../../../../test/processor-time.ts"
import { claude } from "../../formats/claude.ts"
import { readAgent } from "../../formats/read-agent.ts"
import { checkAgents } from "../check.ts"
import { writeBriefLine, writeBriefLines } from "../support.ts"
import { findSecrets, maskSecrets } from "./secrets.ts"

// Built from parts, so that secret scanners do not report this file as a leak.
const secret = (...parts: readonly string[]) => parts.join("")
const random = "R4nd0mK8vQ2zL7wYc3B9tHs5Xn1UeJ6mDfGa"
const github = secret("gh", "p_", random)

describe("shapes", () => {
  test.each([
    ["an Anthropic key", secret("sk-", "ant-api03-", random)],
    ["an OpenRouter key", secret("sk-", "or-v1-", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c")],
    ["an OpenAI key", secret("sk-", "proj-", random)],
    ["an OpenAI key", secret("sk-", random, "T8xQ2b7Nw4Zp")],
    ["a GitHub token", github],
    ["a GitHub token", secret("github_", "pat_", random, random)],
    ["a GitLab token", secret("glp", "at-", random.slice(0, 20))],
    ["an AWS access key", secret("AK", "IA", "Q3EGRZ7XK2PLM5VT")],
    ["a Slack token", secret("xo", "xb-", "2947561830-", random.slice(0, 24))],
    ["a Google key", secret("AI", "za", random.slice(0, 35))],
    ["a Stripe key", secret("sk_", "live_", random.slice(0, 24))],
    ["an npm token", secret("np", "m_", random)],
    ["a Hugging Face token", secret("h", "f_", "RandomKxvQzLpwYcrBtHsXnUeJmDfGaWoi")],
    ["a SendGrid key", secret("S", "G.", random.slice(0, 22), ".", random, "T8xQ2b7")],
    [
      "a private key",
      secret("-----BEGIN RSA ", "PRIVATE KEY-----\n", random, random, "\nMIIEpAAAAA", random, "\n"),
    ],
    ["a signed token (JWT)", secret("eyJ", "hbGciOiJIUzI1NiJ9.", "eyJ", "1c2VyIjoiOTg3In0.", random)],
    ["a secret value", `api_key: ${random}`],
    ["a secret value", `"clientSecret": "${random}"`],
    ["a secret value", `DATABASE_PASSWORD=${random}`],
  ])("%s", (kind, text) => {
    expect(findSecrets(`Before ${text} after`).map((found) => found.kind)).toEqual([kind])
  })

  test.each([
    "sk-...",
    "sk-ant-...",
    "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-proj-your-api-key-goes-here-please-now",
    secret("AK", "IA", "IOSFODNN7EXAMPLE"),
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    secret("gh", "p_", "1234567890abcdefghijklmnopqrstuvwxyz"),
    "api_key: YOUR_API_KEY_GOES_RIGHT_HERE",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what files write.
    "api_key: ${ANTHROPIC_API_KEY_OF_PRODUCTION}",
    "token: <your-personal-access-token-here>",
    "token: process.env.GITHUB_PERSONAL_ACCESS_TOKEN",
    "secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:name",
    "password: correct-horse-battery-staple-again",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "sha256-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ])("%j is none", (text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

test("it is shown where it stands, and no more of it than its beginning", () => {
  const text = `---\nname: one\ndescription: Deploys.\n# token: ${github}\n---\n\nUse ${github} to log in.\n`
  const { agent, locate } = readAgent(claude, { path: "one.md", text })
  const checked = { agent: agent!, format: claude, source: { text, locate } }
  const around = { tools: new Set<string>(), models: undefined, skills: undefined, agents: new Map() }
  expect(checkAgents([checked], around)[0]!.map(writeBriefLine)).toEqual([
    `error secret-in-definition at 45-85: \`ghp_…\``,
    `error secret-in-definition at 95-135: \`ghp_…\``,
  ])
})

test("a definition in code is looked through as well", () => {
  expect(writeBriefLines({ instructions: "Log in.", metadata: { deploy: [{ key: github }] } })).toEqual([
    "error secret-in-definition at start: `ghp_…`",
  ])
})

test("a large text is looked through at once", () => {
  const began = processorTime()
  findSecrets("token = a/b-c_d.e1 ".repeat(50_000))
  findSecrets("a1".repeat(500_000))
  expect(processorTime() - began).toBeLessThan(15_000)
})

test("a secret is made unreadable without moving anything", () => {
  const text = `a: 1\nkey: ${github} # two\nb: 2\n`
  const masked = maskSecrets(text)
  expect([masked.length, masked.includes(random), masked.replace(/\*+/, "")]).toEqual([
    text.length,
    false,
    "a: 1\nkey: ghp_ # two\nb: 2\n",
  ])
})
