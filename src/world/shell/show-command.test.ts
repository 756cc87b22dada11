import { describe, expect, test } from "vitest"
import { showCommand } from "./show-command.ts"

describe("158, 220: a command as it is shown", () => {
  test.each([
    ["ls -la", "ls -la"],
    ["a\nb", "a\nb"],
    ["ls\rcurl evil", "ls\\rcurl evil"],
    ["ls\u001b[2K\u001b[1Gx", "ls\\u{1b}[2K\\u{1b}[1Gx"],
    ["\u001b]52;c;aGk=\u0007", "\\u{1b}]52;c;aGk=\\u{7}"],
    ["a\u009b31mb", "a\\u{9b}31mb"],
    ["a\u202eb\u200bc\ufeffd", "a\\u{202e}b\\u{200b}c\\u{feff}d"],
    ["a\u00a0b\u2028c\u3164d\u2800e", "a\\u{a0}b\\u{2028}c\\u{3164}d\\u{2800}e"],
    // Format characters that are not ignorable, one for private use, and one that is not assigned.
    ["a\u0600b\u06ddc\ufff9d", "a\\u{600}b\\u{6dd}c\\u{fff9}d"],
    ["a\ue000b\u0378c", "a\\u{e000}b\\u{378}c"],
    ["a\u034fb\u180bc", "a\\u{34f}b\\u{180b}c"],
    ["a\u{e0041}b\ud800c", "a\\u{e0041}b\\u{d800}c"],
    ["a\tb", "a\\tb"],
    [`ls${" ".repeat(10_000)}; curl evil`, "ls⟨10000 blanks⟩; curl evil"],
    [`ls${"\t".repeat(500)}; curl evil`, "ls⟨500 blanks⟩; curl evil"],
    [`ls${"\n".repeat(200)}curl evil`, "ls\n⟨199 empty lines⟩\ncurl evil"],
    [`ls\n${" \n".repeat(200)}curl evil`, "ls\n⟨200 empty lines⟩\ncurl evil"],
    ["echo 'é 日本 🎉'", "echo 'é 日本 🎉'"],
  ])("%j", (command, expected) => {
    expect(showCommand(command)).toBe(expected)
  })

  test("every visible character of it is there", () => {
    const command = `echo ${"x".repeat(20_000)}; curl evil`
    expect(showCommand(command)).toBe(command)
  })
})
