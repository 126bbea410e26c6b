import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { EmailList } from '../../../../shared/list.ts';
import { type Command, useCommands } from '../../lib/commands.ts';
import { dialogPath, paths } from '../../lib/paths.ts';

/** The commands of the page of a list. */
export function useListCommands(list: EmailList | undefined) {
  const navigate = useNavigate();
  const commands = useMemo((): Command[] => {
    if (!list) return [];
    const { id, name } = list;
    const of = (verb: string, words: string, path: string): Command => ({
      id: `${verb} ${id}`,
      group: name,
      label: verb,
      words,
      run: () => void navigate(path),
    });
    return [
      of('Add member', 'new contact', paths.newListMember(id)),
      of('Edit list', 'settings logo sending key mailgun', paths.editList(id)),
      of('API example', 'curl javascript python php code', dialogPath('example', id)),
    ];
  }, [list, navigate]);
  useCommands(commands);
}
