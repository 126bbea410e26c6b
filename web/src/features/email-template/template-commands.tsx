import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Command, paletteQuery, useCommands } from '../../lib/commands.ts';
import { useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { TEMPLATE_ROWS } from './use-templates.ts';

const GROUP = 'Email templates';
const MOST_SHOWN = 20;
const LONGEST_SEARCH = 254;
const DEBOUNCE = 200;

/** New content, and the templates that the server finds, for the command palette: loaded when it opens. */
export default function TemplateCommands() {
  const navigate = useNavigate();
  const search = useDebounced(paletteQuery.use().trim().slice(0, LONGEST_SEARCH));
  const { data: templates } = useOrganizationData(
    TEMPLATE_ROWS,
    { query: { per_page: String(MOST_SHOWN), ...(search && { search }) } },
    { keepPreviousData: true },
  );
  const commands = useMemo(
    (): Command[] => [
      ...(templates ?? []).map(({ id, name, subject_line }) => ({
        id: `template-${id}`,
        group: GROUP,
        label: name,
        words: subject_line,
        run: () => void navigate(paths.emailTemplate(id)),
      })),
      {
        id: 'new-email-template',
        group: GROUP,
        label: 'New email template',
        words: 'create add',
        run: () => void navigate(paths.newEmailTemplate()),
      },
      {
        id: 'new-email-asset',
        group: GROUP,
        label: 'New email asset',
        words: 'create add',
        run: () => void navigate(paths.newEmailAsset()),
      },
    ],
    [templates, navigate],
  );
  useCommands(commands);
  return null;
}

function useDebounced(value: string) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
