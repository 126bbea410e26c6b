import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Inbox } from './inbox/inbox.ts';
import { Mistake } from './mistake.ts';

export const DEMO_ADDRESS = 'demo@example.com';
const DEMO_DOMAIN = 'example.com';

const ROOT = resolve(import.meta.dirname, '..');

/** What a data directory is given once, each at the first start that asks for it. */
type Gift = 'demo-data' | 'open-to-all';

export const has = (dataDir: string, gift: Gift) => existsSync(join(dataDir, gift));
export const mark = (dataDir: string, gift: Gift) => writeFileSync(join(dataDir, gift), '');

/** Lets addresses of these domains register, by the command an operator would use. */
export async function admit(domain: string, env: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'bin/whitelist.ts'), 'add', domain], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
}

/** The demo user signs in the way everybody does. */
export async function fillDemo(url: string, inbox: Inbox, env: Record<string, string>): Promise<void> {
  await admit(DEMO_DOMAIN, env);
  await post(`${url}/api/login/request`, { email: DEMO_ADDRESS });
  const [message] = await inbox.messages(DEMO_ADDRESS);
  const code = codeIn(message?.text ?? '');
  if (!code) throw new Mistake('The demo user cannot sign in: no code arrived in the inbox.');
  await post(`${url}/api/login/verify`, { email: DEMO_ADDRESS, code });
}

/** A code stands alone on its line. */
const codeIn = (text: string) => /^([A-Z0-9]{6})$/m.exec(text)?.[1];

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Mistake(`The demo data is incomplete: ${await response.text()}`);
}
