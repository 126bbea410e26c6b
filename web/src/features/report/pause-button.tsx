import { Pause, Play } from 'lucide-react';
import type { ReportRow } from '#shared/reporting.ts';
import { IconButton, ignoreDoubleClick } from '#web/components/button.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/content/content.ts';
import { useToggle } from '#web/entities/toggle.tsx';
import { toast } from '#web/lib/toasts.ts';

/** A template in a report, whose rows have its id. */
const REPORTED_TEMPLATE = {
  ...EMAIL_TEMPLATE,
  rows: 'GET /api/reporting/combinations',
  texts: {
    ...EMAIL_TEMPLATE.texts,
    switched: (_: unknown, active: boolean) => `Template ${active ? 'activated' : 'paused'} successfully`,
  },
} as const;

const NO_ID = 'Cannot update template status: Template ID not found';

/** Pauses or activates the template of a row. */
export function PauseButton({ row }: { row: ReportRow }) {
  const { toggle, isChanging } = useToggle(REPORTED_TEMPLATE);
  const { template_id: id, combination: name, is_active } = row;

  function press() {
    if (id) void toggle({ id, name }, !is_active);
    else toast(NO_ID, 'error', RESULT_DURATION);
  }

  const Icon = is_active ? Pause : Play;
  return (
    <IconButton
      label={`${is_active ? 'Pause' : 'Activate'} ${name}`}
      my="calc((20px - var(--control)) / 2)"
      loading={id !== null && isChanging(id)}
      onClickCapture={ignoreDoubleClick}
      onClick={press}
    >
      <Icon aria-hidden />
    </IconButton>
  );
}
