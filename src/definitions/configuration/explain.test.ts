import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { readConfiguration } from "./configuration.ts"
import { explainConfiguration } from "./explain.ts"

test("what is explained is what holds", () => {
  const base = mkdtempSync(path.join(os.tmpdir(), "cadre-explain-"))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    writeFileSync(path.join(base, file), text)
  }
  put(
    "config/config.yaml",
    "model: one\nlimits: {maxTurns: 5, maxSpawns: 7}\ntools: [a]\nproviders: {mine: {protocol: openai, baseUrl: http://a/v1}}\n",
  )
  put(
    "work/.cadre/config.yaml",
    "model: two\nlimits: {maxTurns: 9}\ntools: [b]\nrules: {name-unsafe: off}\nnonsense: 1\n",
  )
  const options = {
    cwd: path.join(base, "work"),
    home: path.join(base, "home"),
    environment: { CADRE_CONFIG_DIR: path.join(base, "config"), CADRE_SUBAGENTS_ENABLED: "no" },
  }
  const { configuration, diagnostics } = readConfiguration(options)
  const explained = explainConfiguration(options)
  const value = (key: string) => explained.settings.find((setting) => setting.key === key)?.value
  expect({
    model: value("model"),
    enabled: value("subagents.enabled"),
    limits: { maxTurns: value("limits.maxTurns"), maxSpawns: value("limits.maxSpawns") },
    tools: value("tools"),
    rules: { "name-unsafe": value("rules.name-unsafe") },
    baseUrl: value("providers.mine.baseUrl"),
  }).toEqual({
    model: configuration.model,
    enabled: configuration.subagents.enabled,
    limits: configuration.limits,
    tools: configuration.tools,
    rules: configuration.rules,
    baseUrl: (configuration.providers.mine as { baseUrl: string }).baseUrl,
  })
  expect(explained.diagnostics).toEqual(diagnostics)
  const { settings } = explainConfiguration({ ...options, cwd: options.home })
  const untrusted = explained.settings.filter(({ from }) => from.type === "project")
  for (const { key, untrusted: without } of untrusted)
    expect({ key, ...without }).toEqual(
      settings.find((setting) => setting.key === key) ?? { key, from: { type: "default" } },
    )
})
