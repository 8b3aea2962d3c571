// The tour of an example with mistakes: one mistake after another.
//
// Input: the findings, after each edit. Output: the current one: its place in the editor, what is wrong, why it matters, its fix.
// Invariant: a mistake that is corrected leaves the tour, and the next one takes its place.

const $ = (id) => document.getElementById(id);
let reasons;
let tour;

/** Begins a tour, or ends it if the example has no twin. `show` shows the place of a finding, `fix` makes its first fix, `open` opens the twin. */
export function beginTour(twin, { show, fix, open }) {
  tour = twin === undefined ? undefined : { findings: [], at: 0, all: 0, show };
  $("tour").hidden = !tour;
  $("tour-next").onclick = () => goTo(tour.at + 1);
  $("tour-back").onclick = () => goTo(tour.at - 1);
  $("tour-fix").onclick = () => {
    fix(tour.findings[tour.at]);
    $("tour-text").focus();
  };
  $("tour-twin").onclick = () => open(twin);
}

/** Takes in the findings of now. */
export function continueTour(findings) {
  if (!tour) {
    return;
  }
  tour.findings = findings.filter(({ severity }) => severity === "error" || severity === "warning");
  tour.all = Math.max(tour.all, tour.findings.length);
  tour.at = Math.min(tour.at, Math.max(tour.findings.length - 1, 0));
  tell();
}

function goTo(at) {
  tour.at = Math.min(Math.max(at, 0), tour.findings.length - 1);
  tour.show(tour.findings[tour.at]);
  tell();
}

async function tell() {
  const { findings, at, all } = tour;
  const found = findings[at];
  const corrected = all - findings.length;
  $("tour-position").textContent = found
    ? `Mistake ${at + 1} of ${findings.length}${corrected > 0 ? `; ${corrected} corrected` : ""}.`
    : "No mistakes are left. Simulate the graph, or compare it with the example without mistakes.";
  const focused = document.activeElement;
  $("tour-back").disabled = at === 0;
  $("tour-next").disabled = at >= findings.length - 1;
  $("tour-fix").disabled = !found?.fixes?.length;
  if (focused?.disabled) {
    // A button that can do nothing more would lose the focus to the page.
    $("tour-text").focus();
  }
  if (!found) {
    $("tour-text").replaceChildren();
    return;
  }
  const parts = [`${found.file}:${found.line}: ${found.message}.`, found.help && `Help: ${found.help}.`];
  say(parts);
  reasons ??= fetch(new URL("reasons.json", import.meta.url)).then((answer) => answer.json());
  const reason = (await reasons)[found.rule];
  if (tour?.findings[tour.at] === found && reason) {
    say([...parts, `Why it matters: ${reason.replaceAll("`", "")}`]);
  }
}

function say(parts) {
  $("tour-text").replaceChildren(
    ...parts.filter(Boolean).map((part) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = part;
      return paragraph;
    }),
  );
}
