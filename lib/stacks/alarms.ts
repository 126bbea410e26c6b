import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { edgeAlarms } from '../alarms.ts';
import { alarmed, alarmTopic } from '../constructs/alarmed.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { EDGE_REGION, type EdgeStack } from './edge.ts';
import type { FrontStack } from './front.ts';

/** Tells of the alarms of all other stacks, which are where what they watch is. */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    alarmTopic(this, stage);
  }
}

type Props = { stage: Stage; edge: EdgeStack; front: FrontStack };

/** CloudFront and its certificate are measured in this region alone, and an alarm is where its metric is. */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, edge, front }: Props) {
    super(scope, id, { env: { region: EDGE_REGION } });
    // A strong reference to another region would need a custom resource, with a function, in each of the two.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    alarmTopic(this, stage);
    alarmed(this, stage, edgeAlarms(edge.certificate, front.distribution));
  }
}
