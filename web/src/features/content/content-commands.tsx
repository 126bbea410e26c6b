import { useNavigate } from 'react-router';
import { LONGEST_SEARCH } from '#shared/limits.ts';
import { commandOf, paletteQuery, useCommands } from '#web/lib/commands.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { useDebounced } from '#web/lib/timers.ts';

const GROUP = 'Email templates';
const MOST_SHOWN = 20;
const DEBOUNCE = 200;

/** Commands that create content or open the templates that the server finds. Loaded when the command palette opens. */
export default function ContentCommands() {
  const navigate = useNavigate();
  const search = useDebounced(paletteQuery.use().trim().slice(0, LONGEST_SEARCH), DEBOUNCE);
  const { data: templates = [] } = useOrganizationData(
    'GET /api/email-templates',
    { query: { per_page: String(MOST_SHOWN), ...(search && { search }) } },
    { keepPreviousData: true },
  );
  useCommands([
    ...templates.map(({ id, name, subject_line }) =>
      commandOf(GROUP, name, subject_line, () => navigate(paths.emailTemplate(id)), id),
    ),
    commandOf(GROUP, 'New email template', 'create add', () => navigate(paths.newEmailTemplate()), 'new'),
    commandOf(GROUP, 'New email asset', 'create add', () => navigate(paths.newEmailAsset()), 'new asset'),
    commandOf(
      GROUP,
      'New asset set',
      'create add email assets',
      () => navigate(paths.newAssetSet()),
      'new set',
    ),
  ]);
  return null;
}
