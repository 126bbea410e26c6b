import { expect, it } from 'vitest';
import { type Fact, factsOf } from './facts.ts';

it('docs/infrastructure.md shows what the templates allow, limit and keep; `npx vitest run test/lib/infrastructure.test.ts -u` updates it', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/infrastructure.md');
});

const INTRODUCTION = `# Infrastructure

For the review of changes: what the templates of \`dev\` and \`prod\` allow, limit and keep, both with a domain. A test
writes this page, so a change of a right, an alarm, a limit or a retention is a line in its diff. A name is that of a
resource in \`lib/\`. Not here: the routes ([routes.md](routes.md)), the dashboard and the records of DNS.
`;

function page(): string {
  const [dev, prod] = [factsOf('dev'), factsOf('prod')];
  const bySection = Map.groupBy([...dev, ...prod], ({ section }) => section);
  const sections = ['Rights', 'Functions', 'Alarms', 'Resources'].map(section =>
    [`## ${section}`, '```', ...subjects(bySection.get(section) ?? [], dev), '```', ''].join('\n'),
  );
  return [INTRODUCTION, ...sections].join('\n');
}

/** Resources of which the same is to be said are named together. */
function subjects(facts: Fact[], dev: Fact[]): string[] {
  const bySubject = [...Map.groupBy(facts, ({ subject }) => subject)];
  const byText = Map.groupBy(bySubject, ([, facts]) => lines(facts, dev).join('\n'));
  return [...byText].map(([text, same]) => `${same.map(([subject]) => subject).join(', ')}\n${text}`);
}

function lines(facts: Fact[], dev: Fact[]): string[] {
  const byName = Map.groupBy(facts, ({ name }) => name);
  return [...byName].flatMap(([name, same]) => {
    const [inDev, inProd] = [
      same.filter(fact => dev.includes(fact)),
      same.filter(fact => !dev.includes(fact)),
    ];
    if (inDev.length === inProd.length && valuesOf(inDev).join() === valuesOf(inProd).join()) {
      return shown(name, valuesOf(inDev));
    }
    return [
      ...(inDev.length > 0 ? shown(`${name}, dev`, valuesOf(inDev)) : []),
      ...(inProd.length > 0 ? shown(`${name}, prod`, valuesOf(inProd)) : []),
    ];
  });
}

const valuesOf = (facts: Fact[]) => facts.flatMap(({ value }) => value);

const shown = (name: string, values: string[]) =>
  values.length > 1
    ? [`  ${name}:`, ...values.map(value => `      ${value}`)]
    : [`  ${[name, ...values].join(': ')}`];
