// The evidence of one answer. Everything shown is in `props`, made by bot/page/evidence.py from the
// stored record; texts are React text, never markup, and links were built by the server.

const { words } = props;

function Linked({ text, href }) {
  if (!href) return <span className="gc-id">{text}</span>;
  return (
    <a className="gc-id" href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function Entity({ entity }) {
  return (
    <span className={entity.literal ? "gc-literal" : "gc-entity"} title={entity.type || undefined}>
      {entity.label}
    </span>
  );
}

// Within a path: a hop walked from object to subject points back.
function Arrow({ hop }) {
  const backwards = !hop.forward;
  return (
    <span className="gc-relation">
      {backwards ? "← " : "– "}
      {hop.relation}
      {backwards ? " –" : " →"}
    </span>
  );
}

// A path reads from its start to its end: a hop walked backwards keeps its arrow, turned.
function Chain({ hops }) {
  return (
    <span className="gc-chain">
      {hops.map((hop, index) => {
        const [from, to] = hop.forward ? [hop.subject, hop.object] : [hop.object, hop.subject];
        return (
          <span key={index} className="gc-hop">
            {index === 0 && <Entity entity={from} />}
            <Arrow hop={hop} />
            <Entity entity={to} />
          </span>
        );
      })}
    </span>
  );
}

// A single fact stands as the graph states it, whichever way it was walked.
function Fact({ hop }) {
  return (
    <span className="gc-chain">
      <span className="gc-hop">
        <Entity entity={hop.subject} />
        <span className="gc-relation">– {hop.relation} →</span>
        <Entity entity={hop.object} />
      </span>
    </span>
  );
}

function HopDetails({ hop, alone }) {
  const named = [hop.subject, hop.object].filter((entity) => entity.identifiers.length > 0);
  return (
    <div className="gc-details">
      {!alone && <Fact hop={hop} />}
      {hop.qualifiers.length > 0 && (
        <div>
          {hop.qualifiers.map((qualifier, index) => (
            <span key={index} className="gc-qualifier">
              {qualifier}
            </span>
          ))}
        </div>
      )}
      <dl>
        <dt>{words.sources}</dt>
        {hop.sources.map((source, index) => (
          <dd key={index}>
            <Linked text={source.title} href={source.href} />
            {source.facts.length > 0 && ` (${source.facts.join(", ")})`}
          </dd>
        ))}
        {hop.references.length > 0 && <dt>{words.references}</dt>}
        {hop.references.length > 0 && (
          <dd className="gc-ids">
            {hop.references.map((reference, index) => (
              <Linked key={index} {...reference} />
            ))}
          </dd>
        )}
        {named.length > 0 && <dt>{words.identifiers}</dt>}
        {named.map((entity, index) => (
          <dd key={index} className="gc-ids">
            <span>{entity.label}</span>
            {entity.identifiers.map((identifier, position) => (
              <Linked key={position} {...identifier} />
            ))}
          </dd>
        ))}
      </dl>
    </div>
  );
}

function Item({ item }) {
  const alone = item.hops.length === 1;
  return (
    <details className="gc-item" data-number={item.number ?? undefined}>
      <summary>
        <span className="gc-number">{item.number ?? "·"}</span>
        <span className="gc-statement">
          {alone ? <Fact hop={item.hops[0]} /> : <Chain hops={item.hops} />}
        </span>
      </summary>
      <div className="gc-body">
        {item.hops.map((hop, index) => (
          <HopDetails key={index} hop={hop} alone={alone} />
        ))}
        <div className="gc-foot">
          <span>{[...item.marks, ...item.scores].join(" · ")}</span>
          {item.number !== null && (
            <button type="button" className="gc-back">
              ↑ {words.back}
            </button>
          )}
        </div>
      </div>
    </details>
  );
}

function Checks({ checks }) {
  if (checks.length === 0) return null;
  return (
    <div className="gc-checks" role="note">
      <div className="gc-checks-title">{words.checks}</div>
      <ul>
        {checks.map((check, index) => (
          <li key={index}>
            <span className={`gc-verdict gc-${check.verdict}`}>{check.label}</span> {check.text}
            {check.reasons.map((reason, position) => (
              <div key={position} className="gc-reason">
                [{reason.number}] {reason.reason}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

export default function Evidence() {
  const found = props.cited.length + props.unused.length > 0;
  return (
    <section className="gc-evidence" aria-label={words.evidence} lang={props.language}>
      {props.notes
        .filter((note) => note.kind !== "note")
        .map((note, index) => (
          <p key={index} className={`gc-note gc-note-${note.kind}`}>
            {note.text}
          </p>
        ))}
      <Checks checks={props.checks} />
      {found && (
        <header className="gc-head">
          <span className="gc-title">{words.evidence}</span>
          <span className="gc-summary">{props.summary}</span>
        </header>
      )}
      {props.cited.map((item, index) => (
        <Item key={index} item={item} />
      ))}
      {props.unused.length > 0 && (
        <details className="gc-unused">
          <summary>{props.unusedTitle}</summary>
          {props.unused.map((item, index) => (
            <Item key={index} item={item} />
          ))}
        </details>
      )}
      <footer className="gc-notices">
        {props.notes
          .filter((note) => note.kind === "note")
          .map((note, index) => (
            <p key={index}>{note.text}</p>
          ))}
        {props.graph && <p>{props.graph}</p>}
      </footer>
    </section>
  );
}
