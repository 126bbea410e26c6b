import { useNavigate } from 'react-router';
import { LONGEST_SEARCH } from '#shared/limits.ts';
import { commandOf, paletteQuery, useCommands } from '#web/lib/commands.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { useDebounced } from '#web/lib/timers.ts';

const GROUP = 'Email templates';
const MOST_SHOWN = 20;
const DEBOUNCE = 200;

const NEW = [
  ['New email template', 'create add', paths.newEmailTemplate(), 'new'],
  ['New email asset', 'create add', paths.newEmailAsset(), 'new asset'],
  ['New asset set', 'create add email assets', paths.newAssetSet(), 'new set'],
] as const;

/** Commands that create content or open the templates that the server finds. Loaded when the command palette opens. */
export default function ContentCommands() {
  const may = useMay();
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
    ...(may('content:edit') ? NEW : []).map(([label, words, to, id]) =>
      commandOf(GROUP, label, words, () => navigate(to), id),
    ),
  ]);
  return null;
}
