import type { EmailTemplate } from '#shared/email-template.ts';
import { Loading } from '#web/components/loading.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';

const NameForm = onDemand(() => import('./template-name-form.tsx'), <Loading shape={['field', 'button']} />);

export const TemplateName = ({ template }: { template: EmailTemplate }) => (
  <Section title="Name">
    <NameForm template={template} />
  </Section>
);
