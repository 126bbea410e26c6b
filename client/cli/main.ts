#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import { run } from './command.ts';

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  isTerminal: Boolean(process.stdout.isTTY && process.stdin.isTTY),
  out: text => process.stdout.write(`${text}\n`),
  err: text => process.stderr.write(`${text}\n`),
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
});
