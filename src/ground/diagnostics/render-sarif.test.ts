import { expect, test } from "vitest"
import type { Diagnostic } from "./diagnostic.ts"
import { renderSarif } from "./render-sarif.ts"

const range = { start: { line: 2, column: 8 }, end: { line: 3, column: 1 } }
const region = { startLine: 2, startColumn: 8, endLine: 3, endColumn: 1 }
const finding: Diagnostic = { code: "one", severity: "error", message: "Why.", file: "/repo/a.md", range }
const rules = [
  { id: "one", shortDescription: "One.", fullDescription: "All of one.", helpUri: "https://example.org/one" },
  { id: "two", shortDescription: "Two." },
]

const sarif = (diagnostics: readonly Diagnostic[]) =>
  JSON.parse(renderSarif(diagnostics, { version: "1.2.3", rules, base: "/repo" }))

test("one run with its rules, results and fixes", () => {
  const fix = {
    title: "Mend it",
    edits: [
      { range, text: "new" },
      { range, text: "" },
    ],
  }
  expect(
    sarif([
      { ...finding, fix, foreignCode: "AGENT_001" },
      { ...finding, code: "two", severity: "warning" },
      { ...finding, code: "three", severity: "info", file: undefined, fix },
    ]),
  ).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cadre",
            version: "1.2.3",
            rules: [
              {
                id: "one",
                shortDescription: { text: "One." },
                fullDescription: { text: "All of one." },
                helpUri: "https://example.org/one",
              },
              { id: "two", shortDescription: { text: "Two." } },
              { id: "three" },
            ],
          },
        },
        columnKind: "utf16CodeUnits",
        results: [
          {
            ruleId: "one",
            ruleIndex: 0,
            level: "error",
            message: { text: "Why." },
            locations: [{ physicalLocation: { artifactLocation: { uri: "a.md" }, region } }],
            fixes: [
              {
                description: { text: "Mend it" },
                artifactChanges: [
                  {
                    artifactLocation: { uri: "a.md" },
                    replacements: [
                      { deletedRegion: region, insertedContent: { text: "new" } },
                      { deletedRegion: region },
                    ],
                  },
                ],
              },
            ],
            properties: { foreignCode: "AGENT_001" },
          },
          {
            ruleId: "two",
            ruleIndex: 1,
            level: "warning",
            message: { text: "Why." },
            locations: [{ physicalLocation: { artifactLocation: { uri: "a.md" }, region } }],
          },
          { ruleId: "three", ruleIndex: 2, level: "note", message: { text: "Why." } },
        ],
      },
    ],
  })
})

test.each([
  ["/repo/agents/a b.md", "agents/a%20b.md"],
  ["/repo/100%/ä#?.md", "100%25/%C3%A4%23%3F.md"],
  ["c:d.md", "c%3Ad.md"],
  ["a\ud800.md", "a%EF%BF%BD.md"],
  ["/elsewhere/a b.md", "file:///elsewhere/a%20b.md"],
  ["/repo-two/a.md", "file:///repo-two/a.md"],
])("the URI of %j is %s", (file, uri) => {
  const location = sarif([{ ...finding, file }]).runs[0].results[0].locations[0]
  expect(location.physicalLocation.artifactLocation.uri).toBe(uri)
})
