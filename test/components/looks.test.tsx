import { Badge } from '@chakra-ui/react';
import axe from 'axe-core';
import { Trash2 } from 'lucide-react';
import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { Button, ButtonLink, IconButton } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Failure } from '#web/components/failure.tsx';
import { Notice } from '#web/components/notice.tsx';
import { Status } from '#web/components/status.tsx';
import { Tabs } from '#web/components/tabs.tsx';
import { Problem, UNREACHABLE } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { says } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

const tones = ['success', 'error', 'warning', 'info'] as const;

const controls = (
  <>
    <h1>Components</h1>
    <Button variant="solid">Primary</Button>
    <Button>Plain</Button>
    <Button variant="ghost">Quiet</Button>
    <Button variant="solid" colorPalette="red">
      Danger
    </Button>
    <Button variant="solid" loading loadingText="Saving...">
      Save
    </Button>
    <Button disabled>Disabled</Button>
    <ButtonLink to="/">Link as a button</ButtonLink>
    <IconButton label="Delete">
      <Trash2 aria-hidden />
    </IconButton>
    <Checkbox checked onChange={() => undefined}>
      A checkbox
    </Checkbox>
    <Status tone="usual">Active</Status>
    <Status tone="off">Inactive</Status>
    <Status tone="attention">Not Tested</Status>
    <Status tone="wrong">Invalid</Status>
    <Badge>EN</Badge>
    <Tabs label="Tabs" tabs={['First', 'Second'].map(name => ({ name, panel: `The ${name} panel` }))} />
    {tones.map(tone => (
      <Notice key={tone} tone={tone}>
        <strong>A notice</strong> of the tone “{tone}”
      </Notice>
    ))}
    <Failure problem={new Problem(UNREACHABLE)} onRetry={() => undefined} />
    <EmptyState title="Nothing here yet" cause="It says why." action={<Button>Do it</Button>} />
    <Facts>
      <Fact name="A fact">Its value</Fact>
      <Fact name="Loading">{undefined}</Fact>
    </Facts>
  </>
);

it.each(['light', 'dark'])('axe finds nothing in the shared components: %s', async scheme => {
  document.documentElement.style.colorScheme = scheme;
  onTestFinished(() => {
    document.documentElement.style.colorScheme = '';
  });
  render(controls);
  for (const tone of tones) toast(`A toast of the tone ${tone}`, tone);
  await says('A toast of the tone info');
  for (const width of [1440, 390]) {
    await page.viewport(width, 900);
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
  }
});
