import { useNavigate } from 'react-router';
import type { EmailList } from '../../../../shared/list.ts';
import { commandOf, useCommands } from '../../lib/commands.ts';
import { dialogPath, paths } from '../../lib/paths.ts';

/** The commands of the page of a list. */
export function useListCommands({ id, name }: Partial<EmailList> = {}) {
  const navigate = useNavigate();
  const of = (label: string, words: string, path: string) =>
    commandOf(name ?? '', label, words, () => navigate(path));
  useCommands(
    id === undefined
      ? []
      : [
          of('Add member', 'new contact', paths.newListMember(id)),
          of('Edit list', 'settings logo sending key mailgun', paths.editList(id)),
          of('API example', 'curl javascript python php code', dialogPath('example', id)),
        ],
  );
}
