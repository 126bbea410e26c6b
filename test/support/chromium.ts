import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

const PACKAGE = resolve('node_modules/@sparticuz/chromium');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

/** The browser, the libraries and the fonts of the package: the machine needs none of its own. */
export const UNPACKED = resolve('.tmp', `chromium-${version}`);

/** A Chromium of the machine, which uses the machine's libraries and fonts. */
const NAMED = process.env.CHROMIUM_PATH;

// The fonts.conf of the package refers to /tmp/fonts.
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${UNPACKED}/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
</fontconfig>
`;

// Only --no-sandbox: other options that sparticuz suggests would crash it here, or disable the same-origin policy.
export const launchOptions: LaunchOptions = {
  executablePath: NAMED || join(UNPACKED, 'chromium'),
  headless: true,
  args: ['--no-sandbox'],
  // Set for the browser only: setupLambdaEnvironment of the package would change the environment of all processes that tests
  // start.
  ...(!NAMED && {
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'),
      FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
    },
  }),
};

/** Unpacks the browser, unless that was done before. */
export async function unpackChromium(): Promise<void> {
  if (NAMED || existsSync(UNPACKED)) return;
  // Renamed when it is complete: another run may look for it meanwhile, and an incomplete file cannot be executed.
  const directory = await mkdtemp(`${UNPACKED}-`);
  await unpackInto(directory);
  try {
    await rename(directory, UNPACKED);
  } catch (error) {
    await rm(directory, { recursive: true });
    if (!existsSync(UNPACKED)) throw error;
  }
}

async function unpackInto(directory: string): Promise<void> {
  const { TMPDIR } = process.env;
  // The package unpacks into the directory for temporary files.
  process.env.TMPDIR = directory;
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    await Promise.all([chromium.executablePath(), inflate(join(PACKAGE, 'bin/al2023.tar.br'))]);
    await writeFile(join(directory, 'fonts.conf'), FONTS_CONF);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
