import { chakra } from '@chakra-ui/react';
import { Circle, CircleCheck } from 'lucide-react';
import { Panel } from '../../components/panel.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';

export type FirstStep = {
  label: string;
  about: string;
  isDone: boolean;
  /** The others are enough to be done. */
  isOptional?: boolean;
  /** Where it is done; undefined while an earlier step has to come first. */
  to: string | undefined;
};

const Row = chakra('li', {
  base: {
    display: 'flex',
    gap: '3',
    px: '4',
    py: '2.5',
    lineHeight: '20px',
    '& + li': { borderTopWidth: '1px', borderColor: 'border' },
    _icon: { width: '18px', height: '18px', mt: '1px', flexShrink: 0, color: 'fg.subtle' },
  },
  variants: { done: { true: { color: 'fg.muted', _icon: { color: 'fg.success' } } } },
});
const Label = chakra('span', { base: { display: 'block', fontWeight: 'medium' } });
const About = chakra('span', { base: { display: 'block', color: 'fg.muted' } });
const Progress = chakra('span', { base: { fontSize: 'sm', color: 'fg.muted' } });

/** What a new organization does first. Nothing is shown when it is done. */
export function FirstSteps({ steps }: { steps: FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  if (steps.every(({ isDone, isOptional }) => isDone || isOptional)) return null;
  return (
    <Section
      title="First steps"
      actions={
        <Progress>
          {done} of {steps.length} done
        </Progress>
      }
    >
      <Panel as="ul">
        {steps.map(({ label, about, isDone, to }) => (
          <Row key={label} done={isDone}>
            {isDone ? <CircleCheck role="img" aria-label="Done" /> : <Circle aria-hidden />}
            <span>
              <Label>{isDone || !to ? label : <TextLink to={to}>{label}</TextLink>}</Label>
              {!isDone && <About>{about}</About>}
            </span>
          </Row>
        ))}
      </Panel>
    </Section>
  );
}
