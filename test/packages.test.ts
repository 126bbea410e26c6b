import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Package = {
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  resolved?: string;
  integrity?: string;
  inBundle?: boolean;
};

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const named = Object.entries(packages);

it('`npm ci` works on every platform: a package that is bound to one is optional', () => {
  const bound = named.filter(([, { os, cpu, libc }]) => os ?? cpu ?? libc);
  expect(bound.map(([name]) => name)).toContain('node_modules/@dynoxide/linux-x64');
  expect(bound.filter(([, { optional }]) => !optional)).toEqual([]);
});

it('packages come from the registry that npm is configured for', () => {
  expect(named.filter(([, { resolved }]) => resolved)).toEqual([]);
});

it('every package is what it was when it was chosen: npm compares its hash', () => {
  // What is in a bundle comes with the package that bundles it; the first one is this repository.
  const fetched = named.filter(([name, { inBundle }]) => name !== '' && !inBundle);
  expect(fetched.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
});
