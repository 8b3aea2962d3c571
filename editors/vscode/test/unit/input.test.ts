/** The fields for the input of a run, and what they give. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { InputDraft } from "../../webview/inputdraft.ts";
import { type Field, fieldsOf, leaves, nameOf, problemsOf, type Texts, textsOf, valueOf } from "../../webview/schema.ts";

const SCHEMA = {
  type: "object",
  required: ["claim", "urgent"],
  properties: {
    claim: {
      type: "object",
      required: ["policy", "amount"],
      properties: { policy: { type: "string", pattern: "^P-", description: "Its number." }, amount: { type: "number", minimum: 0 }, count: { type: ["integer", "null"], maximum: 9 } },
    },
    urgent: { type: "boolean", default: false },
    channel: { enum: ["mail", "phone", 3] },
    photos: { type: "array" },
    more: { type: "object" },
    note: {},
    either: { anyOf: [{ type: "string" }, { type: "number" }] },
  },
};

const fields = (schema: unknown = SCHEMA): Field[] => fieldsOf(schema) ?? assert.fail("no fields");
const textsFrom = (all: Record<string, string>): Texts => new Map(Object.entries(all).map(([path, text]) => [JSON.stringify(path.split(".")), text]));
const said = (all: Record<string, string>) => problemsOf(fields(), textsFrom(all)).map(({ field, text }) => `${field.path.join(".")}: ${text}`);

test("each type has its kind of field, in the order of the declaration", () => {
  assert.deepEqual(leaves(fields()).map(({ path, kind, isRequired, description }) => [path.join("."), kind, isRequired, description].join(" ").trim()), [
    "claim.policy text true Its number.",
    "claim.amount number true",
    "claim.count integer false",
    "urgent boolean true",
    "channel choice false",
    "photos json false",
    "more json false",
    "note any false",
    "either any false",
  ]);
  for (const schema of [undefined, null, true, {}, { type: "string" }, { type: "object" }, { type: "object", properties: {} }]) {
    assert.equal(fieldsOf(schema), undefined, JSON.stringify(schema));
  }
});

test("a schema that contains itself ends", () => {
  const endless: Record<string, unknown> = { type: "object" };
  endless["properties"] = { next: endless };
  assert.deepEqual(leaves(fields(endless)).map(({ path, kind }) => [path.length, kind]), [[4, "json"]]);
});

test("problems say what to write, and empty fields that are not required have none", () => {
  const good = { "claim.policy": "P-1", "claim.amount": "1.5", urgent: "true" };
  assert.deepEqual(said(good), []);
  assert.deepEqual(said({}), ["claim.policy: Enter a value.", "claim.amount: Enter a value.", "urgent: Enter a value."]);
  const wrong: [Record<string, string>, string][] = [
    [{ "claim.policy": "1" }, "claim.policy: The text does not match ^P-."],
    [{ "claim.amount": "much" }, "claim.amount: Write a number."],
    [{ "claim.amount": "-1" }, "claim.amount: Write a number of at least 0."],
    [{ "claim.count": "1.5" }, "claim.count: Write a whole number."],
    [{ "claim.count": "10" }, "claim.count: Write a number of at most 9."],
    [{ urgent: "perhaps" }, "urgent: Choose yes or no."],
    [{ channel: '"fax"' }, "channel: Choose one of the values."],
    [{ photos: "[1" }, "photos: This is not JSON."],
    [{ photos: "{}" }, "photos: Write a list in square brackets."],
    [{ more: "[]" }, "more: Write an object in braces."],
  ];
  for (const [written, problem] of wrong) {
    assert.deepEqual(said({ ...good, ...written }), [problem]);
  }
});

test("the parts of an object are required only if the object is, or if one of them is written", () => {
  const optional = fields({ type: "object", properties: { claim: SCHEMA.properties.claim } });
  assert.deepEqual(problemsOf(optional, new Map()), []);
  assert.deepEqual(problemsOf(optional, textsFrom({ "claim.policy": "P-1" })).map(({ field }) => field.path), [["claim", "amount"]]);
});

test("a value that fields show is read back as the same value", () => {
  const values = [
    { claim: { policy: "P-7", amount: 0, count: 3 }, urgent: false, channel: 3, photos: [{ a: [1] }, "b"], more: { x: null }, note: "a text", either: 7 },
    { note: { a: 1 }, either: "7 of 9" },
    { note: "true", channel: "mail" },
  ];
  for (const value of values) {
    const found = textsOf(fields(), value);
    assert.ok(typeof found !== "string", String(found));
    assert.deepEqual(valueOf(fields(), found.texts), value);
    assert.deepEqual(problemsOf(fields(), found.texts).filter(({ field }) => found.texts.has(nameOf(field))), []);
  }
});

test("what fields cannot show is refused, and unknown members are kept", () => {
  for (const value of [3, [], { urgent: "yes" }, { claim: 1 }, { claim: { other: 1 } }, { claim: { amount: "1" } }, { claim: { policy: "" } }, { channel: "fax" }]) {
    assert.equal(typeof textsOf(fields(), value), "string", JSON.stringify(value));
  }
  assert.deepEqual(textsOf(fields(), { urgent: true, extra: [1] }), { texts: textsFrom({ urgent: "true" }), others: { extra: [1] } });
});

const GIVEN = { urgent: true, claim: { amount: 5, policy: "P-2" } };

/** What a draft sends in a dry and in a live run. */
function check(draft: InputDraft, dry: unknown, live = dry): void {
  const shown = (isLive: boolean) => {
    const read = draft.read(isLive);
    return "problems" in read ? read.problems.map(({ field, text }) => `${field?.path.join(".") ?? "JSON"}: ${text}`) : (read.input ?? null);
  };
  assert.deepEqual([shown(false), shown(true)], [dry, live]);
}

const MISSING = ["claim.policy: Enter a value.", "claim.amount: Enter a value."];

test("without a script, defaults are sent, and a live run needs what is required", () => {
  const draft = new InputDraft(SCHEMA, {});
  check(draft, { urgent: false }, MISSING);
  draft.texts.set('["note"]', "hail");
  check(draft, MISSING);
  draft.texts.set('["claim","policy"]', "P-1").set('["claim","amount"]', "7");
  check(draft, { claim: { policy: "P-1", amount: 7 }, urgent: false, note: "hail" });
  draft.reset();
  check(draft, { urgent: false }, MISSING);
});

test("the input of the script is shown, and sent only if it was changed", () => {
  const draft = new InputDraft(SCHEMA, { input: GIVEN });
  assert.equal(draft.texts.get('["claim","policy"]'), "P-2");
  check(draft, null);
  draft.texts.set('["claim","amount"]', "8");
  check(draft, { claim: { policy: "P-2", amount: 8 }, urgent: true });
  // The script changes: what the user wrote stays.
  draft.begin({ turns: 2 });
  check(draft, { claim: { policy: "P-2", amount: 8 }, urgent: true });
  draft.reset();
  check(draft, null);
  assert.equal(draft.texts.size, 0);
  draft.begin({ input: GIVEN });
  assert.equal(draft.texts.get('["claim","amount"]'), "5");
});

test("the last input comes back, also if only JSON can show it", () => {
  check(new InputDraft(SCHEMA, { input: GIVEN }, { ...GIVEN, note: "again", extra: 1 }), { ...GIVEN, note: "again", extra: 1 });
  const draft = new InputDraft(SCHEMA, {}, { urgent: "soon" });
  assert.equal(draft.isJson, true);
  check(draft, { urgent: "soon" });
});

test("fields and JSON are two forms of the same input", () => {
  const draft = new InputDraft(SCHEMA, { input: GIVEN });
  assert.equal(draft.toggle(), undefined);
  assert.deepEqual(JSON.parse(draft.json), GIVEN);
  check(draft, null);
  draft.json = "{";
  assert.equal(draft.toggle(), "This is not JSON.");
  check(draft, ["JSON: This is not JSON."]);
  draft.json = '{"urgent": 1}';
  assert.equal(draft.toggle(), "The field “urgent” cannot show 1.");
  check(draft, { urgent: 1 });
  draft.json = '{"urgent": false, "extra": 2, "claim": {"policy": "P-3", "amount": 1}}';
  assert.equal(draft.toggle(), undefined);
  check(draft, { extra: 2, urgent: false, claim: { policy: "P-3", amount: 1 } });
  draft.texts.set('["claim","amount"]', "x");
  assert.equal(draft.toggle(), "claim.amount: Write a number.");
  assert.equal(draft.isJson, false);
});

test("without a schema, a text is a text and JSON is JSON", () => {
  const draft = new InputDraft(null, {});
  check(draft, null);
  draft.json = " Where is my parcel? ";
  check(draft, "Where is my parcel?");
  draft.json = "[1]";
  check(draft, [1]);
});
