/** A video game that is being written. It is kept in the browser with every keystroke. */

import { remember, remembered } from "./settings.js";

/** What is there before anything was written: a game that can be played at once. */
const GAME = `# Lamplighter: light all lamps before the night is over.

BasicGame
    SpriteSet
        dark > Immovable color=DARKGRAY
        lit > Immovable color=YELLOW
        moth > RandomNPC color=BROWN speed=0.5
        avatar > MovingAvatar color=BLUE
    InteractionSet
        avatar wall > stepBack
        moth wall > stepBack
        dark avatar > transformTo stype=lit scoreChange=2
        lit moth > transformTo stype=dark scoreChange=-1
    LevelMapping
        o > dark
        m > moth
    TerminationSet
        SpriteCounter stype=dark win=True
        Timeout limit=300 win=False
`;

const LEVEL = `wwwwwwwwwwwww
wA    w    ow
w  o  w  m  w
w     w     w
w ww     ww w
w     o     w
w  m  w  o  w
wo    w     w
wwwwwwwwwwwww
`;

export function videoDraft() {
  return {
    name: remembered("video.name", "lamplighter"),
    game: remembered("video.game", GAME),
    level: remembered("video.level", LEVEL),
  };
}

/**
 * True if it could be kept.
 * @param {{ name?: string, game?: string, level?: string }} draft
 */
export function setVideoDraft(draft) {
  return Object.entries(draft).every(([key, value]) => remember(`video.${key}`, value));
}
