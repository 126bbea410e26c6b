import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { onDemand } from '../../components/on-demand.tsx';
import { Section } from '../../components/section.tsx';
import { AutomationPicker } from '../../entities/email/automation-picker.tsx';
import { PlaceholderHelp } from '../../entities/email/placeholder-help.tsx';
import { PreviewPane } from '../../entities/email/preview-pane.tsx';
import { WithPreview } from '../../entities/email/with-preview.tsx';

const HostileEmail = onDemand(() => import('./hostile-email.tsx'), <p>Loading</p>);

const OPTIONS = Array.from({ length: 500 }, (_, index) => ({ id: `a${index}`, name: `automation_${index}` }));

const CONTENT = {
  subject_line: "Welcome, {{first_name | 'friend'}}",
  preheader: 'Three things to begin with.',
  pre_cta_content: 'Hello {{first_name}},\n\nyour *plan* is **{{plan}}**.\n\n- One\n- Two',
  cta_text: 'Look around',
  cta_url: 'https://shop.example.com/start?{{utm_tags_template_id}}',
  footer: 'Leave: {{UNSUB_LINK}}',
};

export function EmailPieces() {
  const [chosen, setChosen] = useState<string[]>([]);
  const [isHostile, setHostile] = useState(false);
  return (
    <Section title="Emails">
      <WithPreview>
        <PlaceholderHelp columns={['first_name']} />
        <AutomationPicker label="Link to Automations" options={OPTIONS} value={chosen} onChange={setChosen} />
        <PreviewPane content={CONTENT} language="en" columns={['first_name']} />
      </WithPreview>
      <Box mt="4">
        {isHostile ? (
          <HostileEmail />
        ) : (
          <Button onClick={() => setHostile(true)}>Show a hostile email</Button>
        )}
      </Box>
    </Section>
  );
}
