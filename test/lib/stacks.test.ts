import { readFileSync } from 'node:fs';
import type { Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { composed, exportsOf, type Variant } from './templates.ts';

const shortName = ({ stackName }: Stack) => stackName.split('-').slice(2).join('-');

it('docs/deploy.md has a row for each stack', () => {
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('## The stacks');
  const rows = [...section.matchAll(/^\| (`.+?) (?:\(.+?\) )?\|/gm)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );
  expect(rows.sort()).toEqual(Object.values(composed('prod').stacks).map(shortName).sort());
});

describe.each<Variant>(['dev', 'dev with a domain', 'prod'])('the stacks of %s', variant => {
  const { stacks, app, declared } = composed(variant);
  const all: Stack[] = Object.values(stacks);
  const order = new Map(all.map(stack => [shortName(stack), stack.dependencies.map(shortName)]));

  const precede = (name: string): string[] =>
    (order.get(name) ?? []).flatMap(other => [other, ...precede(other)]);

  it('are deployed after what they refer to, and the pages after all that they call', () => {
    expect(order.get('data')).toEqual([]);
    expect(order.get('front')).toContain('data');
    for (const name of ['sending', 'webhooks', 'api']) expect(order.get(name)).toContain('front');
    expect(precede('api')).toEqual(expect.arrayContaining(['sending', 'webhooks']));
    for (const name of ['tracking', 'provider-events', 'background']) {
      expect(order.get(name)).toContain('api');
      expect(order.get('pages')).toContain(name);
    }
  });

  it('export the same when any one reference to them is removed: the other order, which that takes otherwise, would be a cycle', () => {
    expect(exportsOf(app).sort()).toEqual([...declared].sort());
  });
});
