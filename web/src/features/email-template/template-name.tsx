import { Skeleton } from '@chakra-ui/react';
import type { EmailTemplate } from '../../../../shared/email-template.ts';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';

const NameForm = onDemand(
  () => import('./template-name-form.tsx'),
  <Skeleton width="full" height="141px" borderRadius="md" />,
);

export const TemplateName = ({ template }: { template: EmailTemplate }) => (
  <Section title="Name">
    <NameForm template={template} />
  </Section>
);
