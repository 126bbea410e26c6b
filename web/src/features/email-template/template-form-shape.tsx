import { Loading } from '#web/components/loading.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';

const FIELDS = ['field', 'field', 42, 'field', 'field', 'line', 136, 'field', 'field', 'line', 96] as const;

/** The placeholder for the form of a template while it is loading. */
export const TEMPLATE_FORM = (
  <WithPreview>
    <Loading shape={[...FIELDS]} />
  </WithPreview>
);

/** The placeholder for the form of a new template, which has an example button on top. */
export const NEW_TEMPLATE_FORM = (
  <WithPreview>
    <Loading shape={[32, ...FIELDS]} />
  </WithPreview>
);
