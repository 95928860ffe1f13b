//! Arguments that name a game and a part of it.

use std::path::PathBuf;

use clap::Args;

use crate::import::game::GameOptions;

/// Which map of which game.
#[derive(Args)]
pub(crate) struct GameArguments {
    /// A folder of the game, with SYSTEM.INI, in place of a scene file.
    #[arg(long, value_name = "DIR")]
    game: Option<PathBuf>,
    /// A map by its name in the folder maps; without it the map of the start world.
    #[arg(long, value_name = "NAME", requires = "game")]
    map: Option<String>,
    /// Load only these definitions or actors, such as GUARD,CYRUS.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "game")]
    actors: Vec<String>,
    /// The art folder: a path, or a name in the game folder; without it fxart, else 3dart.
    #[arg(long, value_name = "DIR", requires = "game")]
    art: Option<PathBuf>,
}

impl GameArguments {
    /// The options, if a game was named.
    pub(crate) fn options(&self) -> Option<GameOptions> {
        Some(GameOptions {
            folder: self.game.clone()?,
            map: self.map.clone(),
            actors: self.actors.clone(),
            art: self.art.clone(),
        })
    }
}
