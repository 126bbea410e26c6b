import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Inbox } from './inbox/inbox.ts';
import { Mistake } from './mistake.ts';

export const DEMO_ADDRESS = 'demo@example.com';
const DEMO_DOMAIN = 'example.com';

const ROOT = resolve(import.meta.dirname, '..');

/** What is done once per data directory. An empty file of this name says that it is done. */
type Once = 'demo-data' | 'open-to-all';

export const has = (dataDir: string, once: Once) => existsSync(join(dataDir, once));
export const mark = (dataDir: string, once: Once) => writeFileSync(join(dataDir, once), '', { mode: 0o600 });

/** Lets the addresses of a domain register, by the command that an operator would use. */
export async function allowDomain(domain: string, env: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'bin/whitelist.ts'), 'add', domain], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
}

/** The demo user signs in as any user does. */
export async function createDemoData(url: string, inbox: Inbox, env: Record<string, string>): Promise<void> {
  await allowDomain(DEMO_DOMAIN, env);
  await post(`${url}/api/login/request`, { email: DEMO_ADDRESS });
  const [message] = await inbox.messages(DEMO_ADDRESS);
  const code = codeIn(message?.text ?? '');
  if (!code) throw new Mistake('The demo user cannot sign in: no code arrived in the inbox.');
  await post(`${url}/api/login/verify`, { email: DEMO_ADDRESS, code });
}

/** A code is alone on its line. */
const codeIn = (text: string) => /^([A-Z0-9]{6})$/m.exec(text)?.[1];

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Mistake(`The demo data is incomplete: ${await response.text()}`);
}
