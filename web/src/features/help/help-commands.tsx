import { useNavigate } from 'react-router';
import sections from '#docs/help.md';
import { commandOf, useCommands } from '#web/lib/commands.ts';
import type { HelpText } from '#web/lib/help.ts';
import { paths } from '#web/lib/paths.ts';

const wordsOf = (text: HelpText[]): string =>
  text.map(part => (typeof part === 'string' ? part : wordsOf(part.slice(1)))).join(' ');

/** Finds sections of the help by their words in the command palette. */
export default function HelpCommands() {
  const navigate = useNavigate();
  useCommands(
    sections
      .filter(({ text }) => text.length > 0)
      .map(({ id, title, text }) =>
        commandOf('Help', title, wordsOf(text), () => navigate(`${paths.help()}#${id}`), id),
      ),
  );
  return null;
}
